import assert from 'node:assert/strict';
import { openMongo } from '../../storage/servers/mongo.js';
import { bodyV1, bodyV2 } from '../support/signals/partner-client.js';
import { ScriptedMarket, type Follower, type Timeline } from '../support/signals/scripted-market.js';

const long2 = { ...bodyV2, invest: 5, stop_loss: '90' };
const futures = { ...long2, account: 'FUTURES', leverage: 5 };
const short2 = {
  ...{ coin: 'BTC', trade_market: 'USDT', exchange: 'BINANCE', invest: 5, type: 'short', account: 'FUTURES' },
  ...{ leverage: 5, entry_price_min: '100', entry_price_max: '110', exit_price_1: '90', stop_loss: '120' },
};

const legs = ({ orders }: Timeline, status = 'filled') =>
  orders.filter((order) => order.status === status).map(({ leg, side }) => `${leg} ${side}`);
const types = ({ events }: Timeline) => events.map(({ type }) => type);
const isOver = ({ status }: Timeline) =>
  ['closed', 'cancelled', 'expired', 'skipped', 'rejected'].includes(status);
const bought = ({ events }: Timeline) => events.some(({ type }) => type === 'bought');

describe('the life of a signal, from the API of partners to the timeline', function () {
  this.timeout(60_000);
  let market: ScriptedMarket;
  let usual: Follower;
  let follower: Follower;
  before(async () => {
    market = await ScriptedMarket.open();
    usual = await market.follower();
  });
  beforeEach(() => {
    follower = usual;
  });
  after(() => market.close());

  /** Nothing is left of the signal: no order, and no position on any account. */
  async function isFlat(): Promise<void> {
    const { venue } = market;
    assert.deepEqual(await venue.openOrders(follower.userId), []);
    assert.deepEqual(await venue.positions(follower.userId), []);
    const held = (await venue.holdings(follower.userId)).find(({ asset }) => asset === 'BTC');
    // Less than a step of each signal before, which no order can sell.
    assert.ok(!held || Number(String(held.total)) < 0.001, String(held?.total));
  }

  /** Enters, and answers the timeline once something is bought. */
  async function entered(path: string, body: object, price = '105'): Promise<Timeline> {
    await follower.create(price, path, body);
    return follower.until(price, (timeline) => bought(timeline) && timeline.status === 'open');
  }

  describe('create', () => {
    it('V1: waits for the zone, buys at its upper end and sells at each target', async () => {
      await follower.create('115', '/v1/signal', bodyV1);
      assert.equal((await follower.timeline())!.status, 'entry_pending');
      const open = await follower.until('105', ({ status }) => status === 'open');
      assert.deepEqual(legs(open), ['entry-1 buy']);
      assert.deepEqual([open.orders[0].type, open.orders[0].price], ['limit', '110']);
      await follower.until('121', (timeline) => legs(timeline).includes('target-1 sell'));
      const closed = await follower.until('131', isOver);
      assert.deepEqual(
        [closed.status, legs(closed)],
        ['closed', ['entry-1 buy', 'target-1 sell', 'target-2 sell']],
      );
      await isFlat();
    });

    it('V1: sells everything at market at the stop', async () => {
      await entered('/v1/signal', bodyV1);
      const closed = await follower.until('89', isOver);
      assert.deepEqual([closed.status, closed.reason], ['closed', 'the stop at 90 was reached']);
      await isFlat();
    });

    it('V1: expires when nothing is bought within ttl_buy_order', async () => {
      await follower.create('115', '/v1/signal', { ...bodyV1, ttl_buy_order: 1_000 });
      const { status, orders } = await follower.until('115', isOver);
      assert.deepEqual([status, orders], ['expired', []]);
    });

    it('V1: follows a signal that comes as formatted_text, in the fields of V1', async () => {
      const { coin, trade_market, exchange } = bodyV1;
      const rest = { buy_price_min: '100', buy_price_max: '110', targets: ['120'], stop_loss: '90' };
      await entered('/v1/signal', { formatted_text: { coin, trade_market, exchange, ...rest } });
      const { status, orders } = await follower.until('121', isOver);
      assert.deepEqual([status, orders.map(({ leg }) => leg)], ['closed', ['entry-1', 'target-1']]);
    });

    it('V2: skips what comes too late: the target was reached before the entry', async () => {
      await follower.create('121', '/v2/signal', long2);
      const { status, reason } = await follower.until('121', isOver);
      assert.deepEqual([status, reason], ['skipped', 'the first target was reached before the entry']);
    });

    it('V2: divides a split entry over its prices', async () => {
      const split = { invest_entry_min: 20, invest_entry_mid: 30, invest_entry_max: 50 };
      const prices = { entry_price_min: '100', entry_price_mid: '105', entry_price_max: '110' };
      await follower.create('108', '/v2/signal', { ...long2, ...prices, ...split });
      await follower.until('108', (timeline) => legs(timeline).length === 1);
      await follower.until('104', (timeline) => legs(timeline).length === 2);
      const all = await follower.until('99', (timeline) => legs(timeline).length === 3);
      const worth = all.orders.map(({ price, quantity }) => Math.round(Number(price) * Number(quantity)));
      // 500 USDT or a little less after what was lost before: 20, 30 and 50 %.
      const sum = worth.reduce((total, each) => total + each, 0);
      assert.deepEqual(
        worth.map((each) => Math.round((each / sum) * 100)).sort((one, other) => one - other),
        [20, 30, 50],
      );
      await follower.command('DELETE', 'cancel');
      await follower.until('99', isOver);
      await isFlat();
    });

    it('V2: buys at market, up to the highest price', async () => {
      await follower.create('111', '/v2/signal', { ...long2, entry_mode: 'market' });
      assert.deepEqual((await follower.timeline())!.orders, []);
      const open = await follower.until('109', bought);
      assert.deepEqual([open.orders[0].type, open.orders[0].price], ['market', '110']);
      await follower.until('121', isOver);
      await isFlat();
    });
  });

  describe('on margin and futures', () => {
    for (const account of ['FUTURES', 'MARGIN'] as const)
      it(`${account}: opens a long with its leverage, tells the liquidation price and sells at the target`, async () => {
        const open = await entered('/v2/signal', { ...futures, account });
        const line = (await follower.untilEvent('105', 'liquidation_price')).events.find(
          ({ type }) => type === 'liquidation_price',
        )!;
        const [position] = await market.venue.positions(follower.userId);
        assert.deepEqual(
          [position.account, String(position.liquidationPrice)],
          [account, line.figures.price],
        );
        // Five times the 5 % of 10,000 that are invested.
        const worth = Number(open.orders[0].price) * Number(open.orders[0].quantity);
        assert.ok(worth > 2_300 && worth <= 2_500, `${worth}`);
        const closed = await follower.until('121', isOver);
        assert.deepEqual([closed.status, legs(closed)], ['closed', ['entry-1 buy', 'target-1 sell']]);
        await isFlat();
      });

    it('a short sells first, buys back at the target, and gains', async () => {
      const before = await balance();
      await follower.create('95', '/v2/signal', { ...short2, exit_price_1: '90' });
      await follower.until('105', bought);
      const closed = await follower.until('89', isOver);
      assert.deepEqual([closed.status, legs(closed)], ['closed', ['entry-1 sell', 'target-1 buy']]);
      assert.ok((await balance()) > before);
      await isFlat();
    });

    it('a short is bought back at its stop, in cross mode too', async () => {
      await entered('/v2/signal', { ...short2, margin_type: 'CROSS' });
      const closed = await follower.until('121', isOver);
      assert.deepEqual(
        [closed.reason, legs(closed)],
        ['the stop at 120 was reached', ['entry-1 sell', 'close buy']],
      );
      await isFlat();
    });

    it('a stop that stands on the exchange closes the position', async () => {
      follower = await market.follower({ stopOnExchange: true });
      await entered('/v2/signal', futures);
      await follower.until('105', (timeline) => legs(timeline, 'open').includes('stop sell'));
      const closed = await follower.until('89', isOver);
      assert.deepEqual([closed.status, legs(closed)], ['closed', ['entry-1 buy', 'stop sell']]);
      await isFlat();
    });

    for (const side of ['long', 'short'] as const)
      it(`a ${side} that the exchange liquidates ends with that reason`, async () => {
        const terms = { ...(side === 'long' ? futures : short2), stop_loss: undefined };
        await entered('/v2/signal', { ...terms, leverage: 20 });
        const closed = await follower.until(side === 'long' ? '95' : '117', isOver);
        assert.deepEqual([closed.status, closed.reason], ['closed', 'the exchange liquidated the position']);
        assert.ok(types(closed).includes('liquidated'), types(closed).join());
        assert.deepEqual(legs(closed), [
          side === 'long' ? 'entry-1 buy' : 'entry-1 sell',
          side === 'long' ? 'liquidation sell' : 'liquidation buy',
        ]);
        await isFlat();
      });
  });

  for (const [name, body] of [
    ['SPOT, V1', bodyV1],
    ['FUTURES, V2', { ...futures, exit_price_1: '120', exit_price_2: '130' }],
  ] as const)
    describe(`commands on ${name}`, () => {
      const path = name.endsWith('V1') ? '/v1/signal' : '/v2/signal';
      beforeEach(async () => {
        await entered(path, body);
      });
      const trailing = (price: string, limit: string) => ({
        trailing_stop_price: price,
        trailing_stop_limit_price: limit,
      });

      it('take profit at market sells a part, and the trailing stop the rest', async () => {
        const answer = await follower.command('POST', 'call/takeprofit', {
          ...{ order_type: 'market', sell_amount_relative: 40 },
          ...trailing('100', '95'),
        });
        assert.deepEqual([answer.status, answer.result.type], [200, 'OPERATION_PERFORMED']);
        const half = await follower.untilEvent('105', 'sold');
        const parts = half.orders.map(({ quantity }) => Number(quantity));
        assert.ok(Math.abs(parts[1] / parts[0] - 0.4) < 0.001, parts.join());
        const closed = await follower.until('99', isOver);
        assert.deepEqual([closed.status, legs(closed).length], ['closed', 3]);
        await isFlat();
      });

      it('take profit at a limit replaces the targets', async () => {
        const all = { order_type: 'limit', sell_price: '112', sell_amount_relative: 100 };
        assert.equal((await follower.command('POST', 'call/takeprofit', all)).status, 200);
        const closed = await follower.until('113', isOver);
        assert.equal(closed.orders[1].price, '112');
        await isFlat();
      });

      it('a trailing stop follows the price up, never down, and sells', async () => {
        await follower.command('POST', 'call/trailingstop', trailing('100', '98'));
        await follower.until('105', ({ events }) => events.some(({ figures }) => figures.stop === '100'));
        await follower.until('110', ({ events }) => events.some(({ figures }) => figures.stop === '105'));
        await market.tick('107');
        const { reason, events } = await follower.until('104', isOver);
        assert.equal(reason, 'the trailing stop at 105 was reached');
        const stops = events.flatMap(({ figures }) => (figures.stop ? [Number(figures.stop)] : []));
        assert.deepEqual(
          stops,
          [...stops].sort((one, other) => one - other),
        );
        await isFlat();
      });

      it('target 1 is sold, the trailing stop moves up behind the price, and sells the rest', async () => {
        await follower.command('POST', 'call/trailingstop', trailing('100', '98'));
        await follower.until('105', ({ events }) => events.some(({ figures }) => figures.stop === '100'));
        await follower.until('121', (timeline) => legs(timeline).includes('target-1 sell'));
        const moved = await follower.until('121', ({ events }) =>
          events.some(({ figures }) => figures.stop === '116'),
        );
        assert.ok(types(moved).includes('stop_moved'), types(moved).join());
        const closed = await follower.until('115', isOver);
        assert.deepEqual(
          [closed.status, closed.reason, legs(closed)],
          ['closed', 'the trailing stop at 116 was reached', ['entry-1 buy', 'target-1 sell', 'close sell']],
        );
        await isFlat();
      });

      it('a rebuy buys in its zone, and its trailing stop covers all', async () => {
        const zone = { buy_price_min: '95', buy_price_max: '98', invest: 2, ...trailing('93', '92') };
        assert.equal((await follower.command('POST', 'call/rebuy', zone)).status, 200);
        await follower.untilEvent('97', 'bought', 2);
        const closed = await follower.until('92.5', isOver);
        assert.equal(closed.reason, 'the trailing stop at 93 was reached');
        await isFlat();
      });

      it('a DCA level buys the investment times its multiplier', async () => {
        const level = { buy_price: '95', multiplier: 0.5 };
        assert.equal((await follower.command('POST', 'call/dca', level)).status, 200);
        const { orders } = await follower.untilEvent('94', 'bought', 2);
        const worth = orders.map(({ price, quantity }) => Number(price) * Number(quantity));
        assert.ok(Math.abs(worth[1] / worth[0] - 0.5) < 0.001, worth.join());
        await follower.until('89', isOver);
        await isFlat();
      });

      it('an update changes targets and stop', async () => {
        const prefix = path === '/v1/signal' ? 'sell' : 'exit';
        const answer = await follower.command('PUT', 'updateprice', {
          ...{ [`${prefix}_price_1`]: '112', stop_loss: '97' },
        });
        assert.equal(answer.status, 200);
        await follower.until('105', (timeline) => types(timeline).includes('stop_set'));
        await follower.until('113', (timeline) => legs(timeline).includes('target-1 sell'));
        const { reason } = await follower.until('96', isOver);
        assert.equal(reason, 'the stop at 97 was reached');
        await isFlat();
      });

      it('a cancel closes the position at market; a second one answers the same', async () => {
        const first = await follower.command('DELETE', 'cancel');
        assert.deepEqual([first.status, first.payload.result], [200, 'success']);
        const { status } = await follower.until('105', isOver);
        assert.equal(status, 'cancelled');
        const again = await follower.command('DELETE', 'cancel');
        assert.deepEqual([again.status, again.payload], [200, first.payload]);
        await isFlat();
      });
    });

  describe('commands on a short', () => {
    it('a rebuy, a DCA level and a trailing stop that never rises', async () => {
      await entered('/v2/signal', { ...short2, exit_price_1: '50', stop_loss: '150' });
      await follower.command('POST', 'call/rebuy', { buy_price_min: '112', buy_price_max: '114', invest: 2 });
      await follower.untilEvent('113', 'bought', 2);
      await follower.command('POST', 'call/dca', { buy_price: '116', multiplier: 0.5 });
      await follower.untilEvent('117', 'bought', 3);
      const stop = { trailing_stop_price: '119', trailing_stop_limit_price: '121' };
      assert.equal((await follower.command('POST', 'call/trailingstop', stop)).status, 200);
      await follower.until('117', ({ events }) => events.some(({ figures }) => figures.stop === '119'));
      await follower.until('107', ({ events }) => events.some(({ figures }) => figures.stop === '109'));
      const { reason } = await follower.until('110', isOver);
      assert.equal(reason, 'the trailing stop at 109 was reached');
      await isFlat();
    });
  });

  describe('answers', () => {
    const cases: [
      status: number,
      type: string,
      title: string,
      ask: () => Promise<{ status: number; result: { type: string } }>,
    ][] = [
      [200, 'OPERATION_PERFORMED', 'success', () => follower.partner.ask('POST', '/v2/signal', bodyV2)],
      [
        ...([400, 'INVALID_INPUT_MISSING', 'a required field is missing'] as const),
        () => follower.partner.ask('POST', '/v2/signal', { ...bodyV2, coin: undefined }),
      ],
      [
        ...([400, 'INVALID_INPUT_CONTENT', 'a value is wrong'] as const),
        () => follower.partner.ask('POST', '/v2/signal', { ...bodyV2, entry_price_max: '-1' }),
      ],
      [
        ...([403, 'UNAUTHORIZED', 'the secret is wrong'] as const),
        () => follower.partner.ask('POST', '/v2/signal', bodyV2, { 'svc-api-secret': 'wrong' }),
      ],
      [...([500, 'CRITICAL', 'what is stored cannot be read'] as const), () => cancelUnreadable()],
    ];
    for (const [status, type, title, ask] of cases)
      it(`${status} ${type}: ${title}`, async () => {
        const answer = await ask();
        assert.deepEqual([answer.status, answer.result.type], [status, type]);
      });
  });

  /** Cancels a signal of which nothing but its owner is stored. */
  async function cancelUnreadable() {
    const mongo = openMongo(market.service.mongodbUrl, { timeoutMs: 20_000 });
    const _id = 'f'.repeat(24);
    await mongo.db
      .collection<{ _id: string }>('signals')
      .insertOne({ _id, partnerId: follower.partner.id } as { _id: string });
    await mongo.close();
    return follower.partner.ask('DELETE', `/v1/signal/${_id}/cancel`, { parent_signal_id: _id });
  }

  async function balance(): Promise<number> {
    const holdings = await market.venue.holdings(follower.userId);
    return Number(String(holdings.find(({ account }) => account === 'FUTURES')!.total));
  }
});
