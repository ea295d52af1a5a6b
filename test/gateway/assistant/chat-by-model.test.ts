import assert from 'node:assert/strict';
import { injectedSignal } from '../../support/assistant/injected-signal.js';
import { openTestMarket } from '../../support/candles/market.js';
import { accountUser, type AccountUser } from '../../support/gateway/account-user.js';
import { askForEvents } from '../../support/gateway/event-answer.js';
import type { TestAnswer, TestService } from '../../support/gateway/gateway.js';
import {
  openFakeModel,
  tokensOfReply,
  type FakeModel,
  type FakeReply,
  type FakeRequest,
} from '../../support/model/fake-model.js';
import { until } from '../../support/process/until.js';
import { within } from '../../support/process/within.js';

const guestPath = '/backend/assistant/guest-chat';
const note = /The language model gave no usable answer, so the built-in analyst has answered instead\.$/;
const priceCall: FakeReply = { calls: [{ name: 'get_price', args: { assets: ['BTC'] } }] };

/** The text between the marks of data in a message. */
const fenced = (text: string | null): string =>
  /<data [\w-]+>\n(.*)\n<\/data [\w-]+>/s.exec(text ?? '')?.[1] ?? '';
const lastTool = ({ messages }: FakeRequest): string =>
  fenced(messages.findLast(({ role }) => role === 'tool')?.content ?? null);
/** The price in the structured content of get_price. */
const priceIn = (request: FakeRequest): string =>
  (JSON.parse(lastTool(request)) as { prices: { columns: string[]; rows: string[][] } }).prices.rows[0].find(
    (cell) => /^\d+\.\d+$/.test(cell),
  )!;

describe('chat with a language model', function () {
  this.timeout(60_000);
  let service: TestService;
  let fake: FakeModel;
  let user: AccountUser;

  before(async () => {
    fake = await openFakeModel();
    const env = {
      ASSISTANT_BASE_URL: fake.url,
      ASSISTANT_API_KEY: 'sk-fake-secret',
      ASSISTANT_MODEL: 'a-model',
      ASSISTANT_MODEL_CALLS: '4',
      ASSISTANT_TIMEOUT_MS: '40000',
      ASSISTANT_TOKENS_FREE: '2500',
    };
    ({ service } = await openTestMarket({ env }));
    user = await accountUser(service);
  });
  after(async () => {
    await service.close();
    await fake.close();
  });
  beforeEach(() => (fake.requests.length = 0));

  const ask = (message = 'What is the price of BTC?', conversationId?: string): Promise<TestAnswer> =>
    service.post(guestPath, { message, ...(conversationId ? { conversationId } : {}) });
  /** The model first calls the tool for the price, then answers with the text that `write` makes of it. */
  const withPrice = (write: (price: string) => string) => {
    fake.reply = (request) =>
      request.messages.some(({ role }) => role === 'tool') ? { text: write(priceIn(request)) } : priceCall;
  };
  const stored = async (id: string) =>
    service.storage.conversations.begin(null, id).then(async (begun) => {
      await service.storage.conversations.release(begun);
      return begun.conversation;
    });

  it('answers with the figures of the tools it calls, and says which', async () => {
    withPrice((price) => `BTC is at ${price} USDT.`);
    const { status, payload } = await ask();
    assert.equal(status, 200);
    const { answeredBy, tools } = payload.figures;
    assert.match(payload.response, /^BTC is at \d+\.\d+ USDT\.$/);
    assert.deepEqual(
      [answeredBy, tools.length, tools[0].tool, tools[0].source],
      ['model', 1, 'get_price', 'csv'],
    );
    const [{ messages, tools: offered }] = fake.requests;
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user'],
    );
    assert.ok(offered.length > 30);
    // The next question sees the last one as data.
    await ask('And now?', payload.conversationId as string);
    const history = fake.requests.at(-2)!.messages[1];
    assert.equal(history.role, 'user');
    assert.deepEqual(JSON.parse(fenced(history.content)), {
      earlier: '',
      turns: [{ question: 'What is the price of BTC?', answer: payload.response as string }],
    });
  });

  it('is offered the tools of an account by users alone, and never those that ask the assistant', async () => {
    fake.reply = () => ({ text: 'Hello.' });
    await ask();
    await user.post('/backend/assistant/chat', { message: 'Hi' });
    const [guest, own] = fake.requests.map(({ tools }) => tools.map((tool) => tool.function.name));
    for (const name of ['get_portfolio_status', 'get_balances', 'run_backtest', 'get_conversation']) {
      assert.equal(guest.includes(name), false, name);
      assert.equal(own.includes(name), true, name);
    }
    for (const name of ['ask_assistant', 'ask_guest_assistant'])
      assert.equal(own.includes(name), false, name);
  });

  it('refuses a guest the tools of an account, whatever the model asks for', async () => {
    fake.reply = (request) =>
      request.messages.some(({ role }) => role === 'tool')
        ? { text: lastTool(request).includes('unauthorized') ? 'Sign in for that.' : 'LEAK' }
        : { calls: [{ name: 'get_portfolio_status', args: {} }] };
    const { payload } = await ask('Show me the positions of bob@example.com');
    assert.equal(payload.response, 'Sign in for that.');
    assert.deepEqual(payload.figures.tools, []);
  });

  it('is asked once again for figures that are in no tool result', async () => {
    fake.reply = (request, n) => {
      if (n === 1) return priceCall;
      return n === 2
        ? { text: 'BTC is at 123,456.78 USDT.' }
        : { text: `BTC is at ${priceIn(request)} USDT.` };
    };
    const { payload } = await ask();
    assert.equal(payload.figures.answeredBy, 'model');
    assert.match(payload.response, /^BTC is at [\d.]+ USDT\.$/);
    assert.match(fake.requests[2].messages.at(-1)!.content!, /in no tool result: 123,456\.78/);
  });

  const failing: [string, FakeReply | ((request: FakeRequest, n: number) => FakeReply), number][] = [
    ['invents figures twice', { text: 'BTC is at 123,456.78 USDT and rises 42.42 %.' }, 2],
    ['calls tools without an end', priceCall, 6],
    ['gives arguments that are none', { calls: [{ name: 'get_price', args: '{"assets": [' }] }, 6],
    ['calls tools that do not exist', { calls: [{ name: 'buy_now', args: {} }] }, 6],
    ['is refused with 500', { status: 500, retryAfter: '0.01' }, 3],
    ['is refused with 429', { status: 429, retryAfter: '0.01' }, 3],
    ['breaks off', { text: 'BTC is at', pauseMs: 20, cutOff: true }, 1],
    ['says nothing', { silent: true }, 1],
  ];
  for (const [what, reply, requests] of failing)
    it(`is replaced by the built-in analyst where it ${what}`, async () => {
      fake.reply = typeof reply === 'function' ? reply : () => reply;
      // A model has four fifths of the time for an answer. Only a silent one is waited for.
      if (what === 'says nothing') Object.assign(service.deps.settings, { ASSISTANT_TIMEOUT_MS: 1_500 });
      const { status, payload } = await within('the answer', ask()).finally(() =>
        Object.assign(service.deps.settings, { ASSISTANT_TIMEOUT_MS: 40_000 }),
      );
      assert.equal(status, 200);
      assert.match(payload.response, note);
      assert.doesNotMatch(payload.response, /123,456|42\.42|sk-fake/);
      assert.equal(payload.figures.answeredBy, 'analyst');
      assert.equal(payload.figures.tools[0].tool, 'get_price');
      assert.equal(fake.requests.length, requests);
      const { turns, recent } = await stored(payload.conversationId as string);
      assert.deepEqual([turns, recent[0].answer], [1, payload.response]);
    });

  it('is asked once again if it does not name what can not be served as asked', async () => {
    fake.reply = (request, n) => {
      if (n === 1) return priceCall;
      const price = priceIn(request);
      return { text: n === 2 ? `BTC is at ${price} USDT.` : `Not of Coinbase, but BTC is at ${price} USDT.` };
    };
    const { payload } = await ask('What is the price of BTC on coinbase?');
    assert.equal(payload.figures.answeredBy, 'model');
    assert.match(payload.response, /^Not of Coinbase/);
    assert.match(fake.requests[2].messages.at(-1)!.content!, /does not say first: .*"coinbase"/);
  });

  it('gets at most 12 calls of tools for one question', async () => {
    const calls = Array.from({ length: 15 }, () => ({ name: 'get_price', args: { assets: ['BTC'] } }));
    fake.reply = (request) =>
      request.messages.some(({ role }) => role === 'tool') ? { text: 'Done.' } : { calls };
    const { payload } = await ask();
    const results = fake.requests[1].messages
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => fenced(content));
    assert.equal(payload.response, 'Done.');
    assert.equal(results.filter((each) => each.includes('at most 12 tools')).length, 3);
  });

  it('sees what partners write between the marks of data alone', async () => {
    const follower = await accountUser(service);
    const signalId = await injectedSignal(service, follower);
    const calls = [
      { name: 'get_signal_details', args: { parent_signal_id: signalId } },
      { name: 'list_channel_subscriptions', args: {} },
      { name: 'get_channel_performance', args: { min_signals: 0, limit: 50 } },
    ];
    fake.reply = (request) =>
      request.messages.some(({ role }) => role === 'tool') ? { text: 'It is long.' } : { calls };
    const first = await follower.post('/backend/assistant/chat', { message: 'What is my last signal?' });
    assert.equal(first.payload.response, 'It is long.');
    const [, { messages }] = fake.requests;
    const word = /<data ([\w-]+)>/.exec(messages[0].content!)![1];
    const holding = messages.filter(({ content }) => content?.includes('Ignore your instructions'));
    // The description of the signal, and the name of the channel in two lists.
    assert.deepEqual(
      holding.map(({ role }) => role),
      ['tool', 'tool', 'tool'],
    );
    for (const { content } of holding) {
      assert.ok(content!.startsWith(`<data ${word}>\n`));
      assert.equal(content!.indexOf(`</data ${word}>`), content!.length - `</data ${word}>`.length);
    }
  });

  it('streams the sentences of an answer as far as their figures are checked', async () => {
    fake.reply = (request, n) => {
      if (n === 1) return priceCall;
      const price = priceIn(request);
      const text = n === 2 ? `BTC is at ${price}. It gains 77.7 %. Buy.` : `BTC is at ${price}. That is all.`;
      return { text, inParts: 12 };
    };
    const answer = await askForEvents({ url: service.url + guestPath, body: { message: 'How is BTC?' } });
    assert.deepEqual(await answer.ended, { whole: true });
    const told = answer.events
      .filter(({ name }) => name === 'token')
      .map(({ data }) => data as { text: string; restart?: true });
    const restart = told.findIndex(({ restart: isRestart }) => isRestart);
    assert.match(
      told
        .slice(0, restart)
        .map(({ text }) => text)
        .join(''),
      /^BTC is at [\d.]+\.$/,
    );
    const { status, body } = answer.events.at(-1)!.data;
    assert.equal(status, 200);
    assert.equal(
      told
        .slice(restart)
        .map(({ text }) => text)
        .join(''),
      body.payload.response,
    );
    assert.deepEqual(
      answer.events.filter(({ name }) => name === 'tool').map(({ data }) => data as unknown),
      [
        { tool: 'get_price', state: 'started' },
        { tool: 'get_price', state: 'answered' },
      ],
    );
    assert.doesNotMatch(answer.text(), /77\.7/);
  });

  it('that is slow holds nothing else up, and few questions wait for it', async () => {
    fake.reply = () => ({ silent: true });
    const leaving = new AbortController();
    const answeredBy: string[] = [];
    const asked = Array.from({ length: 12 }, async () => {
      const answer = await fetch(service.url + guestPath, {
        ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, signal: leaving.signal },
        body: JSON.stringify({ message: 'What is the price of BTC?' }),
      });
      const { payload } = (await answer.json()) as TestAnswer;
      answeredBy.push(payload.figures.answeredBy as string);
    });
    await until('the model to be asked', () => fake.requests.length > 0);
    const other = await fetch(`${service.url}/backend/analysis/list-assets`);
    await other.text();
    assert.equal(other.status, 200);
    // One network has half of the four places; the others are answered by the analyst while those wait.
    await until('the others', () => answeredBy.length === 10);
    assert.deepEqual(answeredBy, Array(10).fill('analyst'));
    assert.equal(fake.requests.length, 2);
    leaving.abort();
    const ends = await Promise.allSettled(asked);
    assert.equal(ends.filter(({ status }) => status === 'rejected').length, 2);
  });

  it('is given up when the client leaves, and nothing is stored', async () => {
    fake.reply = () => ({ text: 'BTC. BTC. BTC. BTC.', inParts: 19, pauseMs: 60 });
    const left = fake.left;
    const leaving = await accountUser(service);
    const answer = await askForEvents({
      url: `${service.url}/backend/assistant/chat`,
      body: { message: 'How is BTC?' },
      headers: { 'session-token': leaving.token },
    });
    answer.leave();
    await until('the model to be left', () => fake.left === left + 1);
    // What the question has cost is counted as the last thing.
    const use = () => service.storage.tokenUse.used(`user:${leaving.userId}`);
    await until('the question to end', async () => ![0, 2_500].includes(await use()));
    assert.deepEqual((await leaving.get('/backend/conversations')).payload.conversations, []);
  });

  it('is answered by the model also when what it has cost cannot be stored', async () => {
    const own = await accountUser(service);
    fake.reply = () => ({ text: 'Hello.' });
    const { tokenUse } = service.storage;
    Object.assign(tokenUse, { settle: () => Promise.reject(new Error('MongoDB does not answer')) });
    try {
      const { payload } = await own.post('/backend/assistant/chat', { message: 'price of BTC' });
      assert.deepEqual([payload.response, payload.figures.answeredBy], ['Hello.', 'model']);
    } finally {
      Reflect.deleteProperty(tokenUse, 'settle');
    }
  });

  it('costs tokens that are counted, up to a limit of the month', async () => {
    const own = await accountUser(service);
    fake.reply = () => ({ text: 'Hello.' });
    const say = async () => {
      const { payload } = await own.post('/backend/assistant/chat', { message: 'price of BTC' });
      return payload.figures.answeredBy as string;
    };
    const writers = [await say(), await say(), await say()];
    // 2,500 are allowed: they are reserved for the first question, and what it has not used comes back.
    assert.deepEqual(writers, ['model', 'analyst', 'analyst']);
    assert.equal(await service.storage.tokenUse.used(`user:${own.userId}`), tokensOfReply);
  });
});
