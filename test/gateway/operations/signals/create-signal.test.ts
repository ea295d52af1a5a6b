import assert from 'node:assert/strict';
import { Prices } from '../../../../storage/candles/prices.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import {
  bodyV1,
  bodyV2,
  partnerClient,
  type PartnerClient,
} from '../../../support/signals/partner-client.js';

const [missing, content] = ['INVALID_INPUT_MISSING', 'INVALID_INPUT_CONTENT'];

/** A fault: fields in place of those of a good body (undefined: left out), type and field of the answer. */
type Row = [change: object, type: string, field: string];

const short = { type: 'short', sell_price_1: '90', sell_price_2: '80', stop_loss: '120' };
const shortV2 = { type: 'short', exit_price_1: '90', entry_price_min: '100' };
const split = { entry_price_min: '90', entry_price_mid: '100' };
const badPrices = [
  ...['0', '-1', '1e3', '0x10', '1,5', '١٢', '1.', '.5', ' 1', '', `1${'0'.repeat(400)}`, 'NaN', 'Infinity'],
  ...['0.0', `1.${'0'.repeat(19)}`, -1, 0, 1e300, 0.1234567890123456, true, null, {}, ['1'], { $gt: '' }],
];
const badUrls = [
  ...['javascript:alert(1)', 'file:///etc/passwd', 'http://169.254.169.254/', 'http://example.com/a.png'],
  ...[
    'https://127.0.0.1/a.png',
    'https://[::1]/a',
    'https://localhost/a',
    'https://user@example.com/',
    'https://2130706433/',
  ],
  ...[`https://example.com/${'a'.repeat(10_000)}`, '', 5, 'https://'],
];

const shared: Row[] = [
  [{ coin: undefined }, missing, 'coin'],
  ...['', 'btc', 'B'.repeat(21), '$BTC', 5, null, ['BTC']].map((coin): Row => [{ coin }, content, 'coin']),
  [{ trade_market: undefined }, missing, 'trade_market'],
  ...['EUR', 'usdt', 1].map((given): Row => [{ trade_market: given }, content, 'trade_market']),
  [{ exchange: undefined }, missing, 'exchange'],
  ...['binance', 'PAPER', 'X'.repeat(1_000), 1].map((given): Row => [
    { exchange: given },
    content,
    'exchange',
  ]),
  ...badPrices.map((given): Row => [{ stop_loss: given }, content, 'stop_loss']),
  ...['LONG', 'both', '', 1].map((type): Row => [{ type }, content, 'type']),
  ...[0, -5, 101, '10', 1e308, 100.0001, 1e-30, null].map((invest): Row => [{ invest }, content, 'invest']),
  ...[0, -1, 1, 999, 1e15, 31_536_000_001, 1_000.5, '1000'].map((given): Row => [
    { ttl_buy_order: given },
    content,
    'ttl_buy_order',
  ]),
  ...badUrls.map((given): Row => [{ attachment_image1_url: given }, content, 'attachment_image1_url']),
  [{ attachment_image2_url: 'javascript:1' }, content, 'attachment_image2_url'],
  [{ attachment_description: 'x'.repeat(1_001) }, content, 'attachment_description'],
  [{ attachment_description: 5 }, content, 'attachment_description'],
  [{ coin: 'NOSUCH' }, content, 'coin'],
  [{ confirm_price: 'yes' }, content, 'confirm_price'],
  [{ 'a.b': 1 }, content, 'a.b'],
  [{ $where: '1' }, content, '$where'],
];

const v1: Row[] = [
  ...(['buy_price_min', 'buy_price_max', 'sell_price_1'] as const).flatMap((field): Row[] => [
    [{ [field]: undefined }, missing, field],
    ...badPrices.map((given): Row => [{ [field]: given }, content, field]),
  ]),
  ...badPrices.map((given): Row => [{ sell_price_6: given }, content, 'sell_price_6']),
  [{ sell_price_7: '200' }, content, 'sell_price_7'],
  [{ sell_price_2: undefined, sell_price_3: '130' }, content, 'sell_price_3'],
  [{ buy_price_min: '111' }, content, 'buy_price_max'],
  [{ sell_price_1: '110' }, content, 'sell_price_1'],
  [{ sell_price_2: '120' }, content, 'sell_price_2'],
  [{ stop_loss: '100' }, content, 'stop_loss'],
  [{ ...short, sell_price_1: '100' }, content, 'sell_price_1'],
  [{ ...short, sell_price_2: '95' }, content, 'sell_price_2'],
  [{ ...short, stop_loss: '110' }, content, 'stop_loss'],
  [{ leverage: 2 }, content, 'leverage'],
  [{ coin: undefined, sell_price_1: 'x' }, missing, 'coin'],
];

const v2: Row[] = [
  [{ invest: undefined }, missing, 'invest'],
  ...(['entry_price_max', 'exit_price_1'] as const).flatMap((field): Row[] => [
    [{ [field]: undefined }, missing, field],
    ...badPrices.map((given): Row => [{ [field]: given }, content, field]),
  ]),
  ...['entry_price_min', 'entry_price_mid', 'exit_price_5'].map((field): Row => [
    { [field]: '1e3' },
    content,
    field,
  ]),
  [{ exit_price_6: '200' }, content, 'exit_price_6'],
  [{ exit_price_3: '130' }, content, 'exit_price_3'],
  [{ entry_price_min: '111' }, content, 'entry_price_max'],
  [{ entry_price_min: '100', entry_price_mid: '99' }, content, 'entry_price_mid'],
  [{ entry_price_min: '100', entry_price_mid: '111' }, content, 'entry_price_max'],
  [{ exit_price_1: '105' }, content, 'exit_price_1'],
  [{ stop_loss: '110' }, content, 'stop_loss'],
  [{ ...shortV2, exit_price_1: '105' }, content, 'exit_price_1'],
  ...['spot', 'MARGINS', 1].map((account): Row => [{ account }, content, 'account']),
  ...[0, 126, 1.5, -1, '5'].map((leverage): Row => [{ account: 'FUTURES', leverage }, content, 'leverage']),
  [{ leverage: 2 }, content, 'leverage'],
  [{ margin_type: 'isolated' }, content, 'margin_type'],
  [{ margin_type: 'CROSS' }, content, 'margin_type'],
  [{ entry_mode: 'split' }, content, 'entry_mode'],
  [{ ...split, invest_entry_min: 50, invest_entry_max: 49 }, content, 'invest_entry_min'],
  [{ ...split, invest_entry_min: 101 }, content, 'invest_entry_min'],
  [{ ...split, invest_entry_min: 0, invest_entry_max: 100 }, content, 'invest_entry_min'],
  [{ ...split, invest_entry_min: '50', invest_entry_max: 50 }, content, 'invest_entry_min'],
  [{ invest_entry_min: 50, invest_entry_max: 50 }, missing, 'entry_price_min'],
  [{ invest_entry_mid: 50, invest_entry_max: 50 }, missing, 'entry_price_mid'],
  [{ ...split, invest_entry_min: 50, invest_entry_max: 50, entry_mode: 'market' }, content, 'entry_mode'],
  [{ formatted_text: {} }, content, 'formatted_text'],
];

describe('creating a signal', () => {
  let service: TestService;
  let partner: PartnerClient;
  before(async () => {
    service = await openTestService({ computeNodes: 0, env: { MARKET: 'demo' } });
    partner = await partnerClient(service);
  });
  after(() => service.close());

  const stored = async (id: string) => (await service.storage.signals.find(partner.id, id))!;
  const terms = async (path: string, body: object) => {
    const { status, result, payload } = await partner.ask('POST', path, body);
    assert.deepEqual(
      [status, result, payload.result],
      [200, { type: 'OPERATION_PERFORMED' }, 'success'],
      JSON.stringify(payload),
    );
    assert.deepEqual(Object.keys(payload as object), ['parent_signal_id', 'result']);
    return (await stored(payload.parent_signal_id as string)).terms;
  };

  for (const [path, good, rows] of [
    ['/v1/signal', bodyV1, [...shared, ...v1]],
    ['/v2/signal', bodyV2, [...shared, ...v2]],
  ] as const)
    describe(`POST ${path}`, () => {
      for (const [change, type, field] of rows)
        it(`refuses ${JSON.stringify(change, (_, each: unknown) => (each === undefined ? 'nothing' : each)).slice(0, 80)}`, async () => {
          const answer = await partner.ask('POST', path, { ...good, ...change });
          assert.deepEqual(
            [answer.status, answer.result, answer.payload.field],
            [400, { type }, field],
            JSON.stringify(answer.payload),
          );
          assert.deepEqual(Object.keys(answer.payload as object), ['message', 'field', 'requestId']);
        });

      for (const [what, body, status, type] of [
        ['no body', undefined, 400, missing],
        ['an empty object', {}, 400, missing],
        ['no JSON', '{', 400, content],
        ['a list', '[]', 400, content],
        ['the key __proto__', '{"__proto__": {"coin": "BTC"}}', 400, content],
        ['a key twice', '{"coin": "BTC", "coin": "ETH"}', 400, content],
        ['1 MB', JSON.stringify({ ...good, attachment_description: 'x'.repeat(1_000_000) }), 413, content],
      ] as const)
        it(`refuses ${what}`, async () => {
          const answer = await partner.ask('POST', path, body);
          assert.deepEqual([answer.status, answer.result], [status, { type }]);
        });
    });

  describe('with a market price', () => {
    before(() => putPrice(100));
    after(() => putPrice(100, 0));
    const putPrice = (price: number, time = Date.now()) =>
      new Prices(service.deps.redis).put('demo', [
        { base: 'BTC', quote: 'USDT', price, change24hPercent: null, time },
      ]);
    const bodies = [
      ['/v1/signal', { ...bodyV1, buy_price_max: '105.1' }, 'buy_price_max'],
      ['/v2/signal', { ...bodyV2, entry_price_max: '105.1' }, 'entry_price_max'],
      ['/v2/signal', { ...bodyV2, ...shortV2, entry_price_min: '94.9' }, 'entry_price_min'],
    ] as const;

    for (const [path, body, field] of bodies)
      it(`refuses an entry that is over 5 % worse, unless it is confirmed: ${path} ${field}`, async () => {
        const refused = await partner.ask('POST', path, body);
        assert.deepEqual([refused.status, refused.result.type, refused.payload.field], [400, content, field]);
        assert.match(refused.payload.message as string, /if it is meant, send "confirm_price": true$/);
        const checked = await partner.ask('POST', `${path}/validate`, body);
        assert.equal((checked.payload as unknown as { valid: boolean }).valid, false);
        assert.equal((await partner.ask('POST', path, { ...body, confirm_price: true })).status, 200);
      });

    it('takes an entry that is better than the market, however far', async () => {
      assert.equal(
        (await partner.ask('POST', '/v2/signal', { ...bodyV2, entry_price_max: '50' })).status,
        200,
      );
    });

    it('refuses a new price of an entry in the same way, and of an entry that was bought', async () => {
      const id = await partner.create({ buy_price_max: '104' });
      const update = (more: object) =>
        partner.ask('PUT', `/v1/signal/${id}/updateprice`, { parent_signal_id: id, ...more });
      assert.equal((await update({ buy_price_max: '106' })).status, 400);
      assert.equal((await update({ buy_price_max: '106', confirm_price: true })).status, 200);
      const state = encodeExecution(makeExecution());
      const entries = state.entries.map((entry) => ({ ...entry, filled: '1' }));
      await service.storage.executions.addAll([
        makeStoredExecution({ signalId: id, state: { ...state, entries } }),
      ]);
      const { commands } = await stored(id);
      const refused = await update({ buy_price_max: '103', stop_loss: '91' });
      assert.deepEqual([refused.status, refused.payload.field], [400, 'buy_price_max']);
      assert.match(refused.payload.message as string, /this entry was bought already/);
      assert.equal((await stored(id)).commands.length, commands.length);
      assert.equal((await update({ stop_loss: '91' })).status, 200);
      // Break-even at the average of what was bought between 100 and 104, and a stop that keeps a profit.
      for (const stop of ['101.7', '104.2', '107'])
        assert.equal((await update({ stop_loss: stop })).status, 200, stop);
    });
  });

  it('finds a coin that is not traded in a dry run, too', async () => {
    const { payload } = await partner.ask('POST', '/v2/signal/validate', { ...bodyV2, coin: 'NOSUCH' });
    const { valid, faults } = payload as unknown as {
      valid: boolean;
      faults: { field: string; message: string }[];
    };
    assert.deepEqual([valid, faults.map(({ field }) => field)], [false, ['coin']]);
    assert.equal(
      faults[0].message,
      '"coin" must be one that BINANCE trades with USDT on SPOT, found "NOSUCH"',
    );
  });

  it('stores the range of version 1', async () => {
    const all = {
      ...{ sell_price_3: '140', sell_price_4: '150', sell_price_5: 160, sell_price_6: '170.50' },
      ...{ type: 'long', invest: 2.5, ttl_buy_order: 60_000, attachment_description: 'd' },
      ...{
        attachment_image1_url: 'https://example.com/1.png',
        attachment_image2_url: 'https://example.com/2.png',
      },
    };
    assert.deepEqual(await terms('/v1/signal', { ...bodyV1, ...all }), {
      ...{ version: 1, coin: 'BTC', quote: 'USDT', exchange: 'BINANCE', side: 'long' },
      ...{ account: 'SPOT', leverage: 1, marginType: 'ISOLATED', entryMode: 'range' },
      entries: [{ level: 'max', type: 'limit', price: '110', zoneEnd: '100', percent: '100' }],
      targets: ['120', '130', '140', '150', '160', '170.5'],
      ...{ stopLoss: '90', investPercent: '2.5', ttlMs: 60_000, description: 'd' },
      imageUrls: ['https://example.com/1.png', 'https://example.com/2.png'],
    });
  });

  it('mirrors the levels of a short', async () => {
    const { entries, targets, side } = await terms('/v1/signal', { ...bodyV1, ...short });
    assert.deepEqual(
      [entries, targets, side],
      [
        [{ level: 'min', type: 'limit', price: '100', zoneEnd: '110', percent: '100' }],
        ['90', '80'],
        'short',
      ],
    );
  });

  for (const [what, change, mode, entries] of [
    [
      'an upper end alone',
      {},
      'range',
      [{ level: 'max', type: 'limit', price: '110', zoneEnd: null, percent: '100' }],
    ],
    [
      'a range',
      { entry_price_min: '100' },
      'range',
      [{ level: 'max', type: 'limit', price: '110', zoneEnd: '100', percent: '100' }],
    ],
    [
      'a short range',
      shortV2,
      'range',
      [{ level: 'min', type: 'limit', price: '100', zoneEnd: '110', percent: '100' }],
    ],
    [
      'a price at market',
      { entry_mode: 'market', entry_price_min: '100' },
      'market',
      [{ level: 'max', type: 'market', price: '110', zoneEnd: null, percent: '100' }],
    ],
    [
      'three prices',
      { ...split, invest_entry_min: 20, invest_entry_mid: 30.5, invest_entry_max: 49.5 },
      'split',
      [
        { level: 'max', type: 'limit', price: '110', zoneEnd: null, percent: '49.5' },
        { level: 'mid', type: 'limit', price: '100', zoneEnd: null, percent: '30.5' },
        { level: 'min', type: 'limit', price: '90', zoneEnd: null, percent: '20' },
      ],
    ],
    [
      'two of three prices',
      { ...split, invest_entry_min: 60, invest_entry_mid: 40 },
      'split',
      [
        { level: 'mid', type: 'limit', price: '100', zoneEnd: null, percent: '40' },
        { level: 'min', type: 'limit', price: '90', zoneEnd: null, percent: '60' },
      ],
    ],
  ] as const)
    it(`stores ${what} of version 2`, async () => {
      const found = await terms('/v2/signal', { ...bodyV2, ...change });
      assert.deepEqual([found.entryMode, found.entries], [mode, entries]);
    });

  it('stores account, leverage and margin of version 2', async () => {
    const { account, leverage, marginType } = await terms('/v2/signal', {
      ...bodyV2,
      ...{ account: 'FUTURES', leverage: 125, margin_type: 'CROSS' },
    });
    assert.deepEqual([account, leverage, marginType], ['FUTURES', 125, 'CROSS']);
  });

  describe('formatted_text', () => {
    const rest = { ...bodyV1, sell_price_1: undefined, sell_price_2: undefined };
    const camel = {
      ...{
        coin: 'BTC',
        tradeMarket: 'USDT',
        exchange: 'BINANCE',
        buyPriceMin: '100',
        buyPriceMax: '110',
        stopLoss: '90',
      },
      targets: ['120', 130],
    };

    for (const [what, formatted] of [
      ['snake_case', bodyV1],
      ['camelCase', camel],
      ['snake_case with targets as a list', { ...rest, targets: ['120', '130'] }],
      [
        'camelCase with numbered targets',
        { ...camel, targets: undefined, sellPrice1: '120', sellPrice2: '130' },
      ],
    ] as const)
      it(`takes ${what}, whatever stands beside it`, async () => {
        const plain = await terms('/v1/signal', bodyV1);
        assert.deepEqual(
          await terms('/v1/signal', { formatted_text: formatted, coin: 5, nothing: [1] }),
          plain,
        );
      });

    for (const [what, formatted, type, field] of [
      ['an empty object', {}, missing, 'coin'],
      ['null', null, content, 'formatted_text'],
      ['text', 'BTC', content, 'formatted_text'],
      ['a list', [bodyV1], content, 'formatted_text'],
      [
        'a field in two ways',
        { ...camel, coin: 'BTC', trade_market: 'USDT' },
        content,
        'formatted_text.trade_market',
      ],
      ['targets in two ways', { ...camel, sellPrice1: '120' }, content, 'formatted_text.sellPrice1'],
      ['no targets', { ...camel, targets: [] }, content, 'formatted_text.targets'],
      [
        'seven targets',
        { ...camel, targets: ['1', '2', '3', '4', '5', '6', '7'] },
        content,
        'formatted_text.targets',
      ],
      ['an operator', { ...camel, $gt: '' }, content, 'formatted_text.$gt'],
      ['a dotted key', { ...camel, 'a.b': 1 }, content, 'formatted_text.a.b'],
      ['formatted_text inside', { ...camel, formatted_text: {} }, content, 'formatted_text.formatted_text'],
      ['levels in disorder', { ...camel, stopLoss: '105' }, content, 'stop_loss'],
    ] as const)
      it(`refuses ${what}`, async () => {
        const answer = await partner.ask('POST', '/v1/signal', { ...bodyV1, formatted_text: formatted });
        assert.deepEqual([answer.status, answer.result, answer.payload.field], [400, { type }, field]);
      });
  });

  describe('with an idempotency-key', () => {
    const header = (key: string) => ({ 'idempotency-key': key });

    it('creates one signal for requests at the same moment, and answers the same', async () => {
      const asked = Array.from({ length: 10 }, () => partner.ask('POST', '/v1/signal', bodyV1, header('a')));
      const answers = await Promise.all(asked);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const ids = new Set(answers.map(({ payload }) => payload.parent_signal_id as string));
      assert.equal(ids.size, 1);
      const again = await partner.ask(
        'POST',
        '/v1/signal',
        Object.fromEntries(Object.entries(bodyV1).reverse()),
        header('a'),
      );
      assert.deepEqual([again.payload.parent_signal_id], [...ids]);
    });

    it('refuses another body', async () => {
      await partner.ask('POST', '/v1/signal', bodyV1, header('b'));
      for (const [path, body] of [
        ['/v1/signal', { ...bodyV1, stop_loss: '91' }],
        ['/v2/signal', bodyV2],
      ] as const) {
        const answer = await partner.ask('POST', path, body, header('b'));
        assert.deepEqual([answer.status, answer.result.type], [400, content]);
      }
    });

    it('creates two signals for the same key of two partners', async () => {
      const other = await partnerClient(service);
      const ids = await Promise.all(
        [partner, other].map(
          async ({ ask }) =>
            (await ask('POST', '/v1/signal', bodyV1, header('c'))).payload.parent_signal_id as string,
        ),
      );
      assert.equal(new Set(ids).size, 2);
    });

    for (const key of ['', 'a b', 'x'.repeat(201)])
      it(`refuses the key "${key.slice(0, 10)}" of ${key.length} characters`, async () => {
        const answer = await partner.ask('POST', '/v1/signal', bodyV1, header(key));
        assert.deepEqual([answer.status, answer.result.type], [400, content]);
      });
  });

  it('refuses new signals of a halted channel with the reason, and takes commands of earlier ones', async () => {
    const own = await partnerClient(service);
    const key = { 'idempotency-key': 'halted' };
    const { payload: earlier } = await own.ask('POST', '/v1/signal', bodyV1, key);
    const id = earlier.parent_signal_id as string;
    const channel = (await service.storage.channels.first(own.id))!;
    const other = await service.storage.channels.add({ partnerId: own.id, name: 'Another' });
    await service.storage.halts.add({
      ...{ exchange: null, partnerId: own.id, channelId: channel.id },
      cause: 'it sent 99 signals within 24 hours',
    });
    for (const [path, body] of [
      ['/v1/signal', bodyV1],
      ['/v2/signal', bodyV2],
    ] as const) {
      const { status, result, payload } = await own.ask('POST', path, body);
      assert.deepEqual([status, result.type], [409, 'INVALID_INPUT_BODY']);
      assert.match(
        payload.message as string,
        /^the channel ".*" is halted since .*Z: it sent 99 signals within 24 hours; it gets no new signals until the operator/,
      );
    }
    const again = await own.ask('POST', '/v1/signal', bodyV1, key);
    assert.deepEqual([again.status, again.payload.parent_signal_id], [200, id]);
    const cancel = { parent_signal_id: id };
    assert.equal((await own.ask('DELETE', `/v1/signal/${id}/cancel`, cancel)).status, 200);
    await service.storage.partners.bindKey(own.headers['svc-api-key'], { channelId: other.id });
    assert.equal((await own.ask('POST', '/v1/signal', bodyV1)).status, 200);
  });

  it('completes a signal by the defaults of its channel, only where it says nothing', async () => {
    const own = await partnerClient(service);
    await service.storage.channels.add({
      partnerId: own.id,
      name: 'With defaults',
      defaults: {
        targetPercents: ['10', '20'],
        stopLossPercent: null,
        trailingStopPercent: '10',
        sides: ['long'],
      },
    });
    const bare = { ...bodyV1, sell_price_1: undefined, sell_price_2: undefined, stop_loss: undefined };
    const find = async (body: object) => {
      const { payload } = await own.ask('POST', '/v1/signal', body);
      return (await service.storage.signals.find(own.id, payload.parent_signal_id as string))!;
    };
    const completed = await find(bare);
    assert.deepEqual(completed.terms.targets, ['121', '132']);
    assert.deepEqual(
      completed.commands.map(({ event }) => event),
      [{ type: 'trailing_stop', stop: { trigger: '90', limit: '89.1' } }],
    );
    const full = await find(bodyV1);
    assert.deepEqual([full.terms.targets, full.commands], [['120', '130'], []]);
    const { status, result, payload } = await own.ask('POST', '/v1/signal', {
      ...{ ...bodyV1, sell_price_1: undefined },
    });
    assert.deepEqual([status, result.type, payload.field], [400, missing, 'sell_price_1']);
  });

  it('gives a partner without a channel one of its name', async () => {
    const own = await partnerClient(service);
    const ids = await Promise.all(Array.from({ length: 5 }, () => own.create()));
    const found = await Promise.all(ids.map((id) => service.storage.signals.find(own.id, id)));
    assert.equal(new Set(found.map((signal) => signal!.channelId)).size, 1);
    const channel = await service.storage.channels.find(found[0]!.channelId);
    assert.deepEqual([channel?.name, channel?.partnerId], [own.name, own.id]);
  });

  it('sends the signals of a key to the channel that it is bound to', async () => {
    const own = await partnerClient(service);
    const other = await partnerClient(service);
    const first = await service.storage.channels.add({ partnerId: own.id, name: 'First' });
    const second = await service.storage.channels.add({ partnerId: own.id, name: 'Second' });
    const foreign = await service.storage.channels.add({ partnerId: other.id, name: 'Foreign' });
    const key = own.headers['svc-api-key'];
    const found: (string | undefined)[] = [];
    for (const channelId of [null, second.id, foreign.id, 'gone']) {
      await service.storage.partners.bindKey(key, { channelId });
      found.push((await service.storage.signals.find(own.id, await own.create()))?.channelId);
    }
    assert.deepEqual(found, [first.id, second.id, first.id, first.id]);
  });
});
