import assert from 'node:assert/strict';
import { analyse } from '../../../../gateway/assistant/analyst/analyst.js';
import type { ChatEvent } from '../../../../gateway/assistant/assistant.js';
import { ConnectorToolbox } from '../../../../gateway/assistant/toolbox/connector-toolbox.js';
import { intentsOf } from '../../../../gateway/assistant/analyst/intents.js';
import { openToolAnswers, type ToolAnswers } from '../../../support/assistant/tool-answers.js';
import { nowMs } from '../../../support/assistant/understood.js';

const never = new AbortController().signal;
const signIn = (title: string) =>
  `To read ${title} I need your account. Sign in and ask again; as a guest you can ask about the public market.`;
const btcTrend =
  'BTC is in distribute on 4h, since 27 December 2023, 16:00 UTC (21 candles); its last close there is 99,060 USDT. On all intervals: wait on 1h; distribute on 4h; wait on 1d. Accumulate is strength, distribute weakness, wait neither. Newer data should be there by now, so this may be out of date. As of 31 December 2023, 07:00 UTC.';

// The figures are those of the demo market up to the end of 2023, which never change.
describe('the answers of the built-in analyst', function () {
  this.timeout(60_000);
  let tools: ToolAnswers;
  before(async () => (tools = await openToolAnswers()));
  after(() => tools.close());

  /** What a guest is answered by real tools, and what happened meanwhile. */
  const answered = async (message: string, { deadline = never, left = never } = {}) => {
    const events: string[] = [];
    const asker = {
      requestId: 'test',
      user: null,
      scopes: new Set<never>(),
      address: '127.0.0.1',
      client: 'test',
      signal: left,
      charge: async () => undefined,
      onEvent: ({ name, data }: ChatEvent) =>
        events.push(name === 'tool' ? `${data.tool} ${data.state}` : name),
    };
    const toolbox = new ConnectorToolbox(tools.service.deps, asker, deadline);
    const { text, calls, asked, declined } = await analyse(message, {}, toolbox, { nowMs });
    return { text, called: calls.map(({ tool }) => tool), asked, declined, events };
  };
  const nothing = { called: [], asked: undefined, declined: undefined, events: [] };

  it('say the answer first, then caveats, and the time of the data last', async () => {
    const { text, called } = await answered('seasonality of SUI by month');
    assert.match(text, /^SUI by month .* Mean returns: June \+84\.0 %; July \+94\.5 %;/);
    assert.match(text, /may be out of date\. As of 31 December 2023, 07:00 UTC\.$/);
    assert.deepEqual(called, ['get_seasonality']);
    assert.equal((await answered('What is the trend of BTC on 4h?')).text, btcTrend);
  });

  it('call the tools of several questions side by side, and answer in the order of the questions', async () => {
    const { text, called, events } = await answered('What is the momentum of BTC and where is its support?');
    const names = ['get_momentum_reading', 'get_support_resistance'];
    assert.deepEqual(called, names);
    assert.deepEqual(
      events.slice(0, 2),
      names.map((name) => `${name} started`),
    );
    assert.deepEqual(new Set(events.slice(2)), new Set(names.map((name) => `${name} answered`)));
    const paragraphs = text.split('\n\n');
    assert.equal(paragraphs.length, 2);
    assert.match(paragraphs[0], /^Momentum of BTC on 1d(?: is [a-z ]+)?: RSI 45\.7/);
    assert.match(paragraphs[1], /Below: 97,844/);
    for (const each of paragraphs)
      assert.match(each, /Newer data should be there by now.* As of 31 December 2023\.$/);
  });

  it('say the error of a tool in words', async () => {
    const { text, events } = await answered('trend of NOPEX');
    assert.equal(text, 'I can\'t answer this: asset "NOPEX" is not known here.');
    assert.deepEqual(events, ['get_trend_state started', 'get_trend_state failed']);
  });

  it('say that a tool took too long, and what takes less time', async () => {
    const { text } = await answered('trend of BTC on 4h', { deadline: AbortSignal.abort() });
    assert.equal(
      text,
      "I can't answer this: get_trend_state took longer than an answer may. Ask for a shorter period or a longer interval.",
    );
  });

  it('tell guests what needs an account, beside what does not', async () => {
    const balances = signIn('your balances, free and locked, with their value');
    assert.deepEqual(await answered('what is my balance'), {
      ...nothing,
      text: balances,
      declined: 'sign-in',
    });
    assert.deepEqual(await answered('trend of btc on 4h, also what is my balance'), {
      text: `${btcTrend}\n\n${balances}`,
      called: ['get_trend_state'],
      asked: undefined,
      declined: 'sign-in',
      events: ['get_trend_state started', 'get_trend_state answered'],
    });
  });

  it('decline advice and show what the data say of the asset, where one is named', async () => {
    const { text, called, declined } = await answered('should i buy BTC on the 4h?');
    const [first, second] = text.split('\n\n');
    assert.match(first, /^To "should i buy BTC on the 4h": I give no advice to buy, sell or hold\./);
    assert.deepEqual([second, called, declined], [btcTrend, ['get_trend_state'], 'advice']);
    assert.deepEqual((await answered('what should i buy')).called, []);
    assert.deepEqual((await answered('should i buy NOPEX')).text.split('\n\n').length, 1);
  });

  it('help with what every intent is about', async () => {
    const { text } = await answered('what can you do?');
    const intents = [...intentsOf.market, ...intentsOf.account, ...intentsOf.planning];
    const unnamed = intents.filter(({ topic }) => topic === undefined || !text.includes(topic));
    assert.deepEqual(
      unnamed.map(({ name }) => name),
      [],
    );
    assert.ok(text.length < 1_600, String(text.length));
  });

  it('ask back for what is missing', async () => {
    assert.deepEqual(await answered('what is the trend'), {
      ...nothing,
      text: 'Which asset do you mean?',
      asked: 'asset',
    });
  });

  it('decline what is of another field, and explain words without a tool', async () => {
    const { declined, events, text } = await answered('who won the world cup');
    assert.deepEqual([declined, events], ['off-topic', []]);
    assert.match(text, /this is something else/);
    assert.deepEqual(await answered('what is a drawdown'), {
      ...nothing,
      text: 'Drawdown: how far the value fell from its highest point so far, in percent. It says what you would have had to sit through.',
    });
  });

  it('end with the client', async () => {
    await assert.rejects(answered('trend of BTC', { left: AbortSignal.abort() }), { code: 'cancelled' });
  });
});
