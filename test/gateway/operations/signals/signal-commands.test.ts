import assert from 'node:assert/strict';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import {
  bodyV1,
  bodyV2,
  partnerClient,
  type PartnerClient,
} from '../../../support/signals/partner-client.js';

const [missing, content] = ['INVALID_INPUT_MISSING', 'INVALID_INPUT_CONTENT'];

type Row = [what: string, body: object, type: string, field: string];

const badPrices = ['0', '-1', '1e3', '1,5', 'NaN', '', null, true, -1, 0, `1${'0'.repeat(400)}`];
const bad = (field: string, rest: object, values: readonly unknown[] = badPrices): Row[] =>
  values.map((value) => [
    `${field} ${JSON.stringify(value)}`.slice(0, 60),
    { ...rest, [field]: value },
    content,
    field,
  ]);
const without = (rest: object, ...fields: string[]): Row[] =>
  fields.map((field) => [`no ${field}`, { ...rest, [field]: undefined }, missing, field]);

const stop = { trailing_stop_price: '105', trailing_stop_limit_price: '104' };
const limit = { order_type: 'limit', sell_price: '125', sell_amount_relative: 100 };
const half = { ...limit, sell_amount_relative: 50, ...stop };
const zone = { buy_price_min: '80', buy_price_max: '90' };
const level = { buy_price: '90', multiplier: 2 };

const commands: { path: string; method: string; good: [body: object, event: object][]; bad: Row[] }[] = [
  {
    path: 'call/takeprofit',
    method: 'POST',
    good: [
      [
        limit,
        {
          type: 'take_profit',
          id: 'take-profit-1',
          orderType: 'limit',
          price: '125',
          percent: '100',
          stop: null,
        },
      ],
      [
        half,
        {
          ...{ type: 'take_profit', id: 'take-profit-1', orderType: 'limit', price: '125', percent: '50' },
          stop: { trigger: '105', limit: '104' },
        },
      ],
      [
        { order_type: 'market', sell_amount_relative: 100, symbol: 'BTC/USDT' },
        {
          type: 'take_profit',
          id: 'take-profit-1',
          orderType: 'market',
          price: null,
          percent: '100',
          stop: null,
        },
      ],
      [
        { order_type: 'market', sell_amount_relative: 1, symbol: 'BTCUSDT', ...stop },
        {
          ...{ type: 'take_profit', id: 'take-profit-1', orderType: 'market', price: null, percent: '1' },
          stop: { trigger: '105', limit: '104' },
        },
      ],
    ],
    bad: [
      ...without(
        half,
        'order_type',
        'sell_price',
        'sell_amount_relative',
        'trailing_stop_price',
        'trailing_stop_limit_price',
      ),
      ...bad('order_type', limit, ['LIMIT', 'stop', 1]),
      ...bad('sell_price', limit),
      ...bad('sell_amount_relative', half, [0, 0.5, 100.5, 101, '50', -1, null]),
      ...bad('symbol', limit, ['ETHUSDT', 5]),
      ...bad('trailing_stop_price', half),
      ...bad('trailing_stop_limit_price', half),
      [
        'a limit above the stop',
        { ...half, trailing_stop_limit_price: '106' },
        content,
        'trailing_stop_limit_price',
      ],
      ['an unknown field', { ...limit, leverage: 1 }, content, 'leverage'],
    ],
  },
  {
    path: 'call/trailingstop',
    method: 'POST',
    good: [
      [stop, { type: 'trailing_stop', stop: { trigger: '105', limit: '104' } }],
      [
        { ...stop, trailing_stop_limit_price: '105' },
        { type: 'trailing_stop', stop: { trigger: '105', limit: '105' } },
      ],
    ],
    bad: [
      ...without(stop, 'trailing_stop_price', 'trailing_stop_limit_price'),
      ...bad('trailing_stop_price', stop),
      ...bad('trailing_stop_limit_price', stop),
      [
        'a limit above the stop',
        { ...stop, trailing_stop_limit_price: '105.1' },
        content,
        'trailing_stop_limit_price',
      ],
    ],
  },
  {
    path: 'call/rebuy',
    method: 'POST',
    good: [
      [zone, { type: 'rebuy', id: 'rebuy-1', min: '80', max: '90', investPercent: null, stop: null }],
      [
        { ...zone, invest: 7, ...stop },
        {
          type: 'rebuy',
          id: 'rebuy-1',
          min: '80',
          max: '90',
          investPercent: '7',
          stop: { trigger: '105', limit: '104' },
        },
      ],
    ],
    bad: [
      ...without(zone, 'buy_price_min', 'buy_price_max'),
      ...bad('buy_price_min', zone),
      ...bad('buy_price_max', zone),
      ...bad('invest', zone, [0, -5, 101, '10', 1e308]),
      ...without({ ...zone, ...stop }, 'trailing_stop_limit_price', 'trailing_stop_price'),
      ['a zone upside down', { buy_price_min: '91', buy_price_max: '90' }, content, 'buy_price_max'],
      ['a zone that is not below the entry', { ...zone, buy_price_max: '110' }, content, 'buy_price_max'],
      [
        'a limit above the stop',
        { ...zone, ...stop, trailing_stop_limit_price: '106' },
        content,
        'trailing_stop_limit_price',
      ],
    ],
  },
  {
    path: 'call/dca',
    method: 'POST',
    good: [
      [level, { type: 'dca', id: 'dca-1', price: '90', multiplier: '2' }],
      [
        { ...level, multiplier: 0.25 },
        { type: 'dca', id: 'dca-1', price: '90', multiplier: '0.25' },
      ],
    ],
    bad: [
      ...without(level, 'buy_price', 'multiplier'),
      ...bad('buy_price', level),
      ...bad('multiplier', level, [0, -1, 1e9, 101, 'NaN', '2', null]),
      ['a price that is not below the entry', { ...level, buy_price: '110' }, content, 'buy_price'],
    ],
  },
  {
    path: 'updateprice',
    method: 'PUT',
    good: [
      [{ stop_loss: '95' }, { type: 'update_prices', stopLoss: '95' }],
      // Break-even.
      [{ stop_loss: '100' }, { type: 'update_prices', stopLoss: '100' }],
      [{ sell_price_2: '150' }, { type: 'update_prices', targets: { 'target-2': '150' } }],
      [
        { buy_price_min: '98', buy_price_max: '112', sell_price_1: '121' },
        {
          type: 'update_prices',
          entries: { 'entry-1': { price: '112', zoneEnd: '98' } },
          targets: { 'target-1': '121' },
        },
      ],
    ],
    bad: [
      ['no price', {}, missing, 'buy_price_min'],
      ...bad('stop_loss', {}),
      ...bad('sell_price_1', {}),
      ['a price of version 2', { entry_price_max: '111' }, content, 'entry_price_max'],
      ['a target that is not there', { sell_price_3: '150' }, content, 'sell_price_3'],
      ['a target below the entry', { sell_price_1: '105' }, content, 'sell_price_1'],
      ['a target above the next', { sell_price_1: '131' }, content, 'sell_price_2'],
      ['a stop in the range', { stop_loss: '101' }, content, 'stop_loss'],
      ['a range above the target', { buy_price_max: '125' }, content, 'sell_price_1'],
      ['a coin', { coin: 'ETH' }, content, 'coin'],
    ],
  },
  {
    path: 'cancel',
    method: 'DELETE',
    good: [[{}, { type: 'cancel' }]],
    bad: [['a reason', { reason: 'x' }, content, 'reason']],
  },
];

describe('commands on a signal', () => {
  let service: TestService;
  let partner: PartnerClient;
  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    partner = await partnerClient(service);
  });
  after(() => service.close());

  const stored = async (id: string) => (await service.storage.signals.find(partner.id, id))!;
  const give = (method: string, id: string, path: string, body: object, by = partner) =>
    by.ask(method, `/v1/signal/${id}/${path}`, { parent_signal_id: id, ...body });
  const cancel = (id: string, by = partner) => give('DELETE', id, 'cancel', {}, by);

  for (const { path, method, good, bad: rows } of commands)
    describe(`${method} .../${path}`, () => {
      for (const [body, event] of good)
        it(`stores ${JSON.stringify(body).slice(0, 70)}`, async () => {
          const id = await partner.create();
          const answer = await give(method, id, path, body);
          assert.deepEqual(
            [answer.status, answer.payload],
            [200, { parent_signal_id: id, result: 'success' }],
          );
          const { commands: given, events, dueAt, revision } = await stored(id);
          assert.deepEqual(
            given.map((command) => command.event),
            [event],
          );
          assert.deepEqual([events.length, events[1].type], [2, given[0].event.type]);
          assert.deepEqual([dueAt, revision], [given[0].at, 1]);
        });

      let shared: string;
      before(async () => (shared = await partner.create()));

      for (const [what, body, type, field] of rows)
        it(`refuses ${what}`, async () => {
          const answer = await give(method, shared, path, body);
          assert.deepEqual(
            [answer.status, answer.result, answer.payload.field],
            [400, { type }, field],
            JSON.stringify(answer.payload),
          );
          assert.deepEqual((await stored(shared)).commands, []);
        });

      it('needs the id in the body', async () => {
        const answer = await partner.ask(method, `/v1/signal/${shared}/${path}`, good[0][0]);
        assert.deepEqual(
          [answer.status, answer.result, answer.payload.field],
          [400, { type: missing }, 'parent_signal_id'],
        );
      });

      it('answers the same for an unknown signal and for that of another partner', async () => {
        const other = await partnerClient(service);
        const foreign = await other.create();
        const answers = await Promise.all(
          [foreign, '0'.repeat(24), 'nothing', '../x', 'x'.repeat(10_000), '{"$ne":1}'].map(async (id) => {
            const body = { ...good[0][0], parent_signal_id: id };
            const { status, result, payload } = await partner.ask(
              method,
              `/v1/signal/${encodeURIComponent(id)}/${path}`,
              body,
            );
            return { status, result, message: payload.message as string, field: payload.field as string };
          }),
        );
        const [first, ...others] = answers;
        assert.equal(others.length, 5);
        assert.deepEqual(
          [first.status, first.result, first.field],
          [400, { type: content }, 'parent_signal_id'],
        );
        for (const each of others) assert.deepEqual(each, first);
        assert.deepEqual((await service.storage.signals.find(other.id, foreign))?.commands, []);
      });

      for (const given of [(id: string) => `${id.slice(0, -1)}x`, () => ({ $ne: 1 }), () => null, () => 5])
        it(`refuses the id ${JSON.stringify(given('0'.repeat(24)))} in the body`, async () => {
          const answer = await partner.ask(method, `/v1/signal/${shared}/${path}`, {
            ...good[0][0],
            parent_signal_id: given(shared),
          });
          assert.deepEqual([answer.status, answer.result], [400, { type: content }]);
          assert.deepEqual((await stored(shared)).commands, []);
        });
    });

  it('mirrors what commands require of a short', async () => {
    const body = { ...bodyV1, type: 'short', sell_price_1: '90', sell_price_2: '80', stop_loss: '120' };
    const id = (await partner.ask('POST', '/v1/signal', body)).payload.parent_signal_id as string;
    const asked: [path: string, body: object, status: number][] = [
      ['call/dca', { buy_price: '100', multiplier: 1 }, 400],
      ['call/dca', { buy_price: '101', multiplier: 1 }, 200],
      ['call/rebuy', { buy_price_min: '100', buy_price_max: '110' }, 400],
      ['call/rebuy', { buy_price_min: '115', buy_price_max: '116' }, 200],
      ['call/trailingstop', { trailing_stop_price: '95', trailing_stop_limit_price: '94' }, 400],
      ['call/trailingstop', { trailing_stop_price: '95', trailing_stop_limit_price: '96' }, 200],
    ];
    for (const [path, more, status] of asked)
      assert.equal((await give('POST', id, path, more)).status, status, `${path} ${JSON.stringify(more)}`);
    assert.equal((await stored(id)).commands.length, 3);
  });

  it('updates a signal of version 2 by its own names, on top of earlier updates', async () => {
    const id = (await partner.ask('POST', '/v2/signal', bodyV2)).payload.parent_signal_id as string;
    const update = (body: object) => give('PUT', id, 'updateprice', body);
    assert.equal((await update({ buy_price_max: '111' })).payload.field, 'buy_price_max');
    assert.equal((await update({ exit_price_1: '111' })).status, 200);
    assert.equal((await update({ entry_price_max: '112' })).payload.field, 'exit_price_1');
    assert.equal((await update({ entry_price_min: '99', exit_price_1: '140', stop_loss: '98' })).status, 200);
    assert.equal((await update({ entry_price_min: '97' })).payload.field, 'stop_loss');
    const { payload } = await partner.ask('GET', `/v1/signal/${id}`);
    assert.deepEqual(
      [payload.entries, payload.targets, payload.stop_loss],
      [[{ type: 'limit', price: '110', zone_end: '99', percent: '100' }], ['140'], '98'],
    );
  });

  it('updates the prices of a split entry, and no others', async () => {
    const body = { ...bodyV2, entry_price_min: '90', invest_entry_min: 40, invest_entry_max: 60 };
    const id = (await partner.ask('POST', '/v2/signal', body)).payload.parent_signal_id as string;
    assert.equal(
      (await give('PUT', id, 'updateprice', { entry_price_mid: '100' })).payload.field,
      'entry_price_mid',
    );
    assert.equal((await give('PUT', id, 'updateprice', { entry_price_min: '95' })).status, 200);
    assert.deepEqual((await stored(id)).commands[0].event, {
      type: 'update_prices',
      entries: { 'entry-2': { price: '95' } },
    });
  });

  it('stores nothing for prices that are the same', async () => {
    const id = await partner.create();
    assert.equal((await give('PUT', id, 'updateprice', { stop_loss: '90.0' })).status, 200);
    assert.deepEqual((await stored(id)).commands, []);
  });

  it('checks each of many updates at the same moment against those before it', async () => {
    const id = await partner.create();
    const asked = [
      ...Array.from({ length: 8 }, (_, n) => ({ buy_price_max: String(111 + n) })),
      { sell_price_1: '115' },
    ];
    const answers = await Promise.all(asked.map((body) => give('PUT', id, 'updateprice', body)));
    const { payload } = await partner.ask('GET', `/v1/signal/${id}`);
    assert.ok(Number(payload.targets[0]) > Number(payload.entries[0].price), JSON.stringify(payload));
    const stays = answers.filter(({ status }) => status === 200).length;
    assert.equal((await stored(id)).commands.length, stays);
  });

  it('numbers commands at the same moment, each its own', async () => {
    const id = await partner.create();
    const asked = Array.from({ length: 12 }, () => give('POST', id, 'call/dca', level));
    assert.deepEqual(new Set((await Promise.all(asked)).map(({ status }) => status)), new Set([200]));
    const ids = (await stored(id)).commands.map(({ event }) => (event as { id: string }).id);
    assert.deepEqual(
      ids,
      Array.from({ length: 12 }, (_, n) => `dca-${n + 1}`),
    );
  });

  it('reads a signal once for each of many commands at the same moment', async () => {
    const id = await partner.create();
    const { signals } = service.deps.storage;
    const find = signals.find.bind(signals);
    let reads = 0;
    signals.find = (...given) => {
      reads++;
      return find(...given);
    };
    await Promise.all(Array.from({ length: 12 }, () => give('POST', id, 'call/dca', level)));
    signals.find = find;
    assert.equal(reads, 12);
  });

  it('takes 200 commands for a signal, and a cancel after them', async () => {
    const id = await partner.create();
    for (let n = 0; n < 200; n++) {
      const event = { type: 'dca', id: `dca-${n}`, price: '90', multiplier: '1' } as const;
      assert.equal(await service.storage.signals.command(await stored(id), event, 'more'), true);
    }
    const refused = await give('POST', id, 'call/dca', level);
    assert.deepEqual([refused.status, refused.result.type], [400, content]);
    assert.equal((await cancel(id)).status, 200);
  });

  it('answers a second cancel like the first, and refuses all else on a cancelled signal', async () => {
    const id = await partner.create();
    const answers = await Promise.all([cancel(id), cancel(id), cancel(id)]);
    answers.push(await cancel(id));
    for (const { status, payload } of answers)
      assert.deepEqual([status, payload], [200, { parent_signal_id: id, result: 'success' }]);
    const { commands: given, status } = await stored(id);
    assert.deepEqual([given.map(({ event }) => event), status], [[{ type: 'cancel' }], 'cancelled']);
    for (const { method, path, good } of commands.filter((each) => each.path !== 'cancel')) {
      const answer = await give(method, id, path, good[0][0]);
      assert.deepEqual(
        [answer.status, answer.result, answer.payload.field],
        [400, { type: content }, 'parent_signal_id'],
      );
    }
  });

  it('lists the own signals, the newest first, by state and page by page', async () => {
    const own = await partnerClient(service);
    const ids = [];
    for (let n = 0; n < 3; n++) ids.unshift(await own.create());
    await cancel(ids[1], own);
    const list = async (query: string) =>
      (await own.ask('GET', `/v1/signal${query}`)).payload as {
        signals: { parent_signal_id: string }[];
        next_cursor: string | null;
      };
    const idsOf = ({ signals }: { signals: { parent_signal_id: string }[] }) =>
      signals.map((each) => each.parent_signal_id);
    assert.deepEqual(idsOf(await list('')), [ids[0], ids[2]]);
    assert.deepEqual(idsOf(await list('?status=cancelled')), [ids[1]]);
    const first = await list('?limit=1');
    const second = await list(`?limit=1&cursor=${first.next_cursor!}`);
    assert.deepEqual([idsOf(first), idsOf(second), second.next_cursor], [[ids[0]], [ids[2]], null]);
    for (const query of ['?limit=0', '?cursor=x', '?partner=1', `?partnerId=${partner.id}`]) {
      const answer = await own.ask('GET', `/v1/signal${query}`);
      assert.deepEqual([answer.status, answer.result.type], [400, content], query);
    }
    assert.deepEqual(idsOf((await (await partnerClient(service)).ask('GET', '/v1/signal')).payload), []);
  });

  it('tells the history of a signal to its partner alone', async () => {
    const id = await partner.create();
    await give('POST', id, 'call/dca', level);
    const { payload } = await partner.ask('GET', `/v1/signal/${id}`);
    assert.deepEqual(
      payload.events.map(({ type }: { type: string }) => type),
      ['created', 'dca'],
    );
    assert.equal(
      payload.events[1].cause,
      'the partner adds a DCA level at 90, 2 times the original investment',
    );
    const other = await partnerClient(service);
    const answer = await other.ask('GET', `/v1/signal/${id}`);
    assert.deepEqual(
      [answer.status, answer.result, answer.payload.field],
      [400, { type: content }, 'parent_signal_id'],
    );
  });
});
