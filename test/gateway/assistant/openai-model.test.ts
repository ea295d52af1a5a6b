import assert from 'node:assert/strict';
import { OpenAiModel } from '../../../gateway/assistant/model/openai-model.js';
import type { ModelReply } from '../../../gateway/assistant/model/model.js';
import {
  openFakeModel,
  tokensOfReply,
  type FakeModel,
  type FakeReply,
} from '../../support/model/fake-model.js';
import { within } from '../../support/process/within.js';

const failure = (message: string) => ({ name: 'AppError', code: 'model_failed', message });

describe('the model behind a server that speaks the chat format', () => {
  let fake: FakeModel;
  let texts: string[];
  let tokens: number[];

  before(async () => (fake = await openFakeModel()));
  after(() => fake.close());
  beforeEach(() => {
    fake.requests.length = 0;
    [texts, tokens] = [[], []];
  });

  const ask = (
    reply: FakeReply | ((n: number) => FakeReply),
    { key = 'sk-fake-secret', signal = new AbortController().signal } = {},
  ): Promise<ModelReply> => {
    fake.reply = typeof reply === 'function' ? (_request, n) => reply(n) : () => reply;
    const model = new OpenAiModel({
      ASSISTANT_BASE_URL: fake.url,
      ASSISTANT_API_KEY: key,
      ASSISTANT_MODEL: 'a-model',
    });
    return model.reply({
      messages: [
        { role: 'system', text: 'Rules.' },
        { role: 'user', text: 'How is BTC?' },
        { role: 'assistant', text: '', calls: [{ id: 'a', name: 'get_price', arguments: '{}' }] },
        { role: 'tool', callId: 'a', text: 'data' },
      ],
      tools: [{ name: 'get_price', description: 'The price.', schema: { type: 'object' } }],
      signal,
      onText: (text) => texts.push(text),
      onTokens: (count) => tokens.push(count),
    });
  };

  it('passes text on as it comes, and counts tokens as the server does', async () => {
    assert.deepEqual(await ask({ text: 'BTC is fine.' }), { text: 'BTC is fine.', calls: [] });
    assert.deepEqual([texts.length, texts.join(''), tokens], [4, 'BTC is fine.', [tokensOfReply]]);
    const [{ authorization, model, messages, tools }] = fake.requests;
    assert.deepEqual([authorization, model], ['Bearer sk-fake-secret', 'a-model']);
    assert.deepEqual(messages, [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'How is BTC?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_price', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'data' },
    ]);
    assert.deepEqual(tools, [
      {
        type: 'function',
        function: { name: 'get_price', description: 'The price.', parameters: { type: 'object' } },
      },
    ]);
  });

  it('sends no key where there is none, and estimates tokens that the server does not count', async () => {
    await ask({ text: 'Fine.', withoutUsage: true }, { key: '' });
    assert.equal(fake.requests[0].authorization, undefined);
    assert.ok(tokens[0] > 50 && tokens[0] < 500, String(tokens[0]));
  });

  it('puts parallel calls together from their parts', async () => {
    const calls = [
      { name: 'get_price', args: { assets: ['BTC'] } },
      { name: 'get_trend_state', args: '{"asset": ' },
    ];
    assert.deepEqual(await ask({ calls, text: 'Let me look.' }), {
      text: 'Let me look.',
      calls: [
        { id: 'id_0', name: 'get_price', arguments: '{"assets":["BTC"]}' },
        { id: 'id_1', name: 'get_trend_state', arguments: '{"asset": ' },
      ],
    });
  });

  for (const status of [429, 500])
    it(`asks again after a ${status}`, async () => {
      const reply = await ask((n) => (n === 1 ? { status, retryAfter: '0.01' } : { text: 'Fine.' }));
      assert.deepEqual([reply.text, fake.requests.length], ['Fine.', 2]);
    });

  it('gives up after three refusals, without the words of the server', async () => {
    await assert.rejects(ask({ status: 503, retryAfter: '0.01' }), failure('the model answers 503'));
    assert.equal(fake.requests.length, 3);
    await assert.rejects(ask({ status: 401 }), failure('the model answers 401'));
    assert.equal(fake.requests.length, 4);
  });

  it('refuses a reply that breaks off, is empty, or has no end', async () => {
    await assert.rejects(
      ask({ text: 'BTC is at 60,0', cutOff: true }),
      failure('the model cannot be reached, or its reply broke off'),
    );
    await assert.rejects(ask({ text: ' ' }), failure('the reply is empty'));
    await assert.rejects(
      ask({ text: 'x'.repeat(30_000), inParts: 100 }),
      failure('the reply has more than 20000 characters'),
    );
    assert.equal(tokens.length, 3);
  });

  it('gives up at once when its time has passed, whether the server is silent, slow, or to be asked later', async () => {
    for (const reply of [
      { silent: true },
      { text: 'a b c d e f', inParts: 6, pauseMs: 5_000 },
      { status: 429, retryAfter: '30' },
    ] as FakeReply[]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 100);
      const asked = assert.rejects(
        ask(reply, { signal: controller.signal }),
        failure('the model was too slow'),
      );
      await within('its end', asked);
    }
  });

  it('says that a server does not answer', async () => {
    const away = new OpenAiModel({
      ASSISTANT_BASE_URL: 'http://127.0.0.1:9',
      ASSISTANT_API_KEY: 'sk-fake-secret',
      ASSISTANT_MODEL: 'a-model',
    });
    const { signal } = new AbortController();
    const request = { messages: [], tools: [], signal, onText: () => undefined, onTokens: () => undefined };
    await assert.rejects(away.reply(request), failure('the model cannot be reached, or its reply broke off'));
  });
});
