import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { SignalTerms } from '../../../storage/signals/partner-signal.js';
import type { Subscription } from '../../../storage/signals/subscription.js';
import type { DialectName } from '../../support/fake-exchange/dialects.js';
import { until } from '../../support/process/until.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage, type TemporaryStorage } from '../../support/servers/temporary-storage.js';
import { keyOf } from '../../support/venues/live-rig.js';
import { LiveScene } from '../../support/venues/live-scene.js';

const dialects = ['binance', 'bybit', 'kucoin'] as const;

/** An engine that trades on one exchange. */
async function openDesk(dialect: DialectName, context: TemporaryStorage, redis: Redis) {
  const scene = await LiveScene.open(context, redis, dialect);
  const { exchange, live, rig, isOpen: isOpenWithStop } = scene;
  await live.price('61000');
  /** The prices with which orders of the paper exchange would be matched. */
  const matched: MarketTick[] = [];
  const match = async (ticks: readonly MarketTick[]) => {
    matched.push(...ticks);
    return [];
  };
  // No answer is waited for as long as a request may last.
  const venues = new Map([[live.name, live.open(200_000)]]);
  await scene.startEngine({ match, reconcileMs: 1_000, venues });
  const money = { USDT: '10000' };
  const account = { spot: money, margin: money, futures: money, isolated: { BTCUSDT: money } };
  const follow = (terms: Partial<SignalTerms> = {}, subscription: Partial<Subscription> = {}) =>
    scene.follow({ terms, subscription, account: { ...account, mayTradeMargin: true } });
  return { dialect, exchange, live, rig, matched, follow, isOpenWithStop, close: () => scene.close() };
}

type LiveDesk = Awaited<ReturnType<typeof openDesk>>;

describe('signals on a live venue', function () {
  this.timeout(90_000);
  const places = dialects.map((dialect) => ({
    dialect,
    context: temporaryStorage(),
    redis: temporaryRedis(),
  }));
  let desks: LiveDesk[] = [];
  before(async () => {
    desks = await Promise.all(
      places.map(({ dialect, context, redis }) => openDesk(dialect, context, redis.redis)),
    );
  });
  after(() => Promise.all(desks.map((desk) => desk.close())));

  /** A test for each exchange. They wait for most of their time, so all exchanges are tried at once. */
  const onEach = (title: string, test: (desk: LiveDesk) => Promise<void>) =>
    describe(title, () => {
      let tests: Promise<void>[];
      before(() => {
        tests = desks.map(test);
        // Each failure is that of the test that awaits it.
        for (const each of tests) each.catch(() => undefined);
      });
      after(() => Promise.all(desks.map(({ exchange }) => exchange.faults({ seed: 1, rules: [] }))));
      for (const [n, dialect] of dialects.entries()) it(`on ${dialect}`, () => tests[n]);
    });

  onEach(
    'buys at the entry, keeps the stop on the exchange where it can stand, and sells at the targets',
    async ({ dialect, live, follow, isOpenWithStop }) => {
      await live.price('61000');
      const { userId, isSo } = await follow();
      await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false);
      const opened = await isSo('the entry is filled', isOpenWithStop, '59900');
      assert.equal(opened.market, `${dialect}-spot`);
      const standing = (await live.ledgerOrders(userId)).filter(({ status }) => status === 'NEW');
      assert.deepEqual(
        standing.map(({ side, type, stopPrice }) => [side, type, stopPrice]),
        [
          ...(live.venue.standingStops.has('SPOT') ? [['SELL', 'STOP_LOSS', '55000']] : []),
          ...(live.venue.restingTargets.has('SPOT') ? [['SELL', 'LIMIT_MAKER', null]] : []),
        ],
      );
      await isSo(
        'the first target is sold',
        ({ orders }) => orders.some(({ leg }) => leg === 'target-1'),
        '66100',
      );
      const closed = await isSo('all is sold', ({ endedAt }) => endedAt !== null, '68100');
      assert.equal(closed.status, 'closed');
      const orders = await live.ledgerOrders(userId);
      assert.deepEqual(
        orders.filter(({ status }) => status === 'NEW'),
        [],
      );
      assert.equal(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size, orders.length);
      const { BTC = '0' } = (await live.ledgerAccount(userId)).spot;
      assert.ok(Number(BTC) < 0.00001, BTC);
    },
  );

  onEach(
    'acts on prices that are told by websocket, and matches no order of the paper exchange with them',
    async ({ exchange, live, matched, follow, isOpenWithStop }) => {
      await live.price('61000');
      const { isSo } = await follow();
      await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false);
      const noAnswer = { kind: 'status', isDone: false, status: 503 } as const;
      await exchange.faults({ seed: 1, rules: [{ on: 'public', times: null, fault: noAnswer }] });
      await isSo('the entry is filled', isOpenWithStop, '59900');
      assert.deepEqual(matched, []);
    },
  );

  onEach('sends the first orders of a signal when the price is there already', async ({ live, follow }) => {
    await live.price('59900');
    const { isSo } = await follow();
    await isSo('the entry is filled', ({ status }) => status === 'open');
  });

  onEach(
    'is sold at the stop, by the exchange or by the price watch',
    async ({ live, follow, isOpenWithStop }) => {
      await live.price('61000');
      const { userId, isSo } = await follow();
      await isSo('the entry is filled', isOpenWithStop, '59900');
      const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
      const sold = closed.orders.filter(({ side, filled }) => side === 'sell' && filled !== '0');
      assert.deepEqual(
        sold.map(({ leg }) => leg),
        live.venue.standingStops.has('SPOT') ? ['stop'] : ['close'],
      );
      assert.equal((await live.ledgerOrders(userId)).filter(({ status }) => status === 'NEW').length, 0);
    },
  );

  onEach(
    'places no second order after a timeout on create',
    async ({ exchange, live, follow, isOpenWithStop }) => {
      await live.price('61000');
      await exchange.faults({ seed: 1, rules: [{ on: 'create', fault: { kind: 'silence', isDone: true } }] });
      const { userId, isSo } = await follow();
      await isSo('the entry is found and filled', isOpenWithStop, '59900');
      const buys = (await live.ledgerOrders(userId)).filter(({ side }) => side === 'BUY');
      assert.equal(buys.length, 1);
    },
  );

  onEach(
    'protects within seconds what an order has bought whose answer never comes',
    async ({ exchange, live, follow, isOpenWithStop }) => {
      await live.price('61000');
      await exchange.streamFaults({ isClosed: true });
      await exchange.cutStreams();
      const { userId, isSo } = await follow({ account: 'FUTURES' });
      await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false);
      const rule = { on: 'create', apiKey: keyOf(userId) } as const;
      await exchange.faults({ seed: 1, rules: [{ ...rule, fault: { kind: 'silence', isDone: true } }] });
      // Its request waits for longer than this test.
      await isSo('the entry is protected', isOpenWithStop, '59900');
      await exchange.streamFaults({});
    },
  );

  onEach(
    'places an order again once it is proved that a lost request cannot arrive',
    async ({ exchange, live, follow, isOpenWithStop }) => {
      await live.price('61000');
      await exchange.faults({ seed: 1, rules: [{ on: 'create', fault: { kind: 'reset', isDone: false } }] });
      const { userId, isSo } = await follow();
      await isSo('the order is unknown', ({ orders }) => orders[0]?.status === 'unknown', '59900');
      const opened = await isSo('it is placed again and filled', isOpenWithStop, '59900');
      const [entry] = opened.orders;
      const waitedMs = entry.sentAt!.getTime() - entry.createdAt.getTime();
      // Its request had left before its answer was missed, and is taken for this long.
      assert.ok(waitedMs > live.venue.lateMs, String(waitedMs));
      const buys = (await live.ledgerOrders(userId)).filter(({ side }) => side === 'BUY');
      assert.deepEqual(
        buys.map(({ clientOrderId }) => clientOrderId),
        [entry.clientOrderId],
      );
    },
  );

  onEach(
    'closes everything at market when the signal is cancelled',
    async ({ live, rig, follow, isOpenWithStop }) => {
      await live.price('61000');
      const { userId, signal, isSo } = await follow();
      await isSo('the entry is filled', isOpenWithStop, '59900');
      await rig.command(signal, { type: 'cancel' });
      await isSo('it is flat', ({ endedAt }) => endedAt !== null, '59900');
      assert.equal((await live.ledgerOrders(userId)).filter(({ status }) => status === 'NEW').length, 0);
      const { BTC = '0' } = (await live.ledgerAccount(userId)).spot;
      assert.ok(Number(BTC) < 0.00001, BTC);
    },
  );

  onEach(
    'does not place again a stop that its owner cancels by hand, but watches its price',
    async ({ live, follow, isOpenWithStop }) => {
      if (!live.venue.standingStops.has('SPOT')) return;
      await live.price('61000');
      const { userId, isSo } = await follow();
      const { orders } = await isSo('the entry is filled', isOpenWithStop, '59900');
      const stop = orders.find(({ leg }) => leg === 'stop')!;
      await live.venue.cancel([{ ...stop, userId, pair: live.pair, account: 'SPOT' }]);
      const left = await isSo('it is told', ({ events }) =>
        events.some(({ type }) => type === 'cancelled_by_hand'),
      );
      assert.equal(left.watched?.worse, '55000');
      const closed = await isSo('it is sold at the stop', ({ endedAt }) => endedAt !== null, '54000');
      assert.deepEqual(
        closed.orders.filter(({ side, filled }) => side === 'sell' && filled !== '0').map(({ leg }) => leg),
        ['close'],
      );
    },
  );

  onEach(
    'holds a long with borrowed money while the account is compared, and sells it at the targets',
    async ({ exchange, live, follow, isOpenWithStop }) => {
      await live.price('61000');
      // An account that is streamed is compared once an hour.
      await exchange.streamFaults({ isClosed: true });
      await exchange.cutStreams();
      const margin = { account: 'MARGIN', leverage: 3, marginType: 'CROSS' } as const;
      const { userId, isSo } = await follow(margin);
      const { orders } = await isSo('the entry is filled', isOpenWithStop, '59900');
      const shown = await live.venue.openOrders(userId, { only: [{ account: 'MARGIN', pair: live.pair }] });
      const ids = shown.map(({ clientOrderId }) => clientOrderId);
      for (const { status, clientOrderId } of orders)
        assert.ok(status !== 'open' || ids.includes(clientOrderId), 'an open order is not shown');
      const comparisons = async () =>
        (await exchange.requests()).filter(
          ({ kind, apiKey }) => kind === 'open orders' && apiKey === keyOf(userId),
        ).length;
      // An account is compared with one request for each of its three markets at least.
      const wanted = (await comparisons()) + 12;
      await until('the account is compared', async () => (await comparisons()) >= wanted);
      await exchange.streamFaults({});
      await isSo(
        'the first target is sold',
        ({ orders }) => orders.some(({ leg }) => leg === 'target-1'),
        '66100',
      );
      const closed = await isSo('all is sold', ({ endedAt }) => endedAt !== null, '68100');
      assert.equal(closed.status, 'closed');
      const sold = closed.orders.filter(({ side, filled }) => side === 'sell' && filled !== '0');
      assert.deepEqual(
        sold.map(({ leg }) => leg),
        ['target-1', 'target-2'],
      );
    },
  );

  onEach(
    'trades on isolated margin where it is offered, and says that it does not elsewhere',
    async ({ dialect, exchange, live, follow, isOpenWithStop }) => {
      await live.price('61000');
      const margin = { account: 'MARGIN', leverage: 3, marginType: 'ISOLATED' } as const;
      const { userId, isSo } = await follow(margin);
      if (dialect === 'bybit') {
        const refused = await isSo('it is refused', ({ endedAt }) => endedAt !== null, '59900');
        const reasons = refused.orders.map(({ reason }) => reason ?? '');
        assert.ok(
          reasons.length > 0 && reasons.every((reason) => reason.includes('isolated margin')),
          String(reasons),
        );
        return;
      }
      await isSo('the entry is filled', isOpenWithStop, '59900');
      const [held] = await live.venue.positions(userId);
      assert.deepEqual([held.account, held.pair, held.quantity.sign], ['MARGIN', live.pair, 1]);
      const comparisons = async () =>
        (await exchange.requests()).filter(
          ({ kind, apiKey }) => kind === 'open orders' && apiKey === keyOf(userId),
        ).length;
      const wanted = (await comparisons()) + 12;
      await until('the account is compared', async () => (await comparisons()) >= wanted);
      const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
      const sold = closed.orders.filter(({ side, filled }) => side === 'sell' && filled !== '0');
      assert.deepEqual(
        sold.map(({ leg }) => leg),
        live.venue.standingStops.has('MARGIN') ? ['stop'] : ['close'],
      );
      // The fee of the purchase was taken from the base asset.
      assert.deepEqual(
        (await live.venue.positions(userId)).filter(({ quantity }) => Number(String(quantity)) > 0.00001),
        [],
      );
    },
  );

  onEach(
    'opens a short on futures with its leverage, and closes it by the stop that stands there',
    async ({ dialect, live, follow, isOpenWithStop }) => {
      await live.price('59000');
      const { userId, isSo } = await follow({
        ...{ side: 'short', account: 'FUTURES', leverage: 3, marginType: 'ISOLATED' },
        entries: [{ level: 'min', type: 'limit', price: '60000', zoneEnd: null, percent: '100' }],
        targets: ['54000', '52000'],
        stopLoss: '65000',
      });
      await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false, '59000');
      const opened = await isSo('the short is open', isOpenWithStop, '60100');
      assert.equal(opened.market, `${dialect}-futures`);
      const [position] = await live.venue.positions(userId);
      assert.deepEqual(
        [position.account, position.pair, String(position.quantity)],
        ['FUTURES', live.pair, `-${String(opened.orders[0].filled)}`],
      );
      assert.ok(position.liquidationPrice!.compare(position.entryPrice) > 0);
      const closed = await isSo('the stop has bought', ({ endedAt }) => endedAt !== null, '65100');
      const bought = closed.orders.filter(({ side, filled }) => side === 'buy' && filled !== '0');
      assert.deepEqual(
        bought.map(({ leg }) => leg),
        ['stop'],
      );
      assert.deepEqual(await live.venue.positions(userId), []);
    },
  );

  onEach(
    'buys back a short on margin with the fee of the purchase',
    async ({ live, follow, isOpenWithStop }) => {
      await live.price('59000');
      const { userId, isSo } = await follow({
        ...{ side: 'short', account: 'MARGIN', leverage: 3, marginType: 'CROSS' },
        entries: [{ level: 'min', type: 'limit', price: '60000', zoneEnd: null, percent: '100' }],
        targets: ['54000'],
        stopLoss: '65000',
      });
      await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false, '59000');
      await isSo('the short is open', isOpenWithStop, '60100');
      const { events, status } = await isSo('it is bought back', ({ endedAt }) => endedAt !== null, '65100');
      assert.equal(status, 'closed');
      assert.deepEqual(
        events.filter(({ type }) => ['below_minimum', 'oversold', 'order_refused'].includes(type)),
        [],
      );
      const { margin } = await live.ledgerAccount(userId);
      assert.ok(Math.abs(Number(margin.BTC ?? '0')) < 0.00001, margin.BTC);
    },
  );

  onEach('invests a whole balance, beside which fees are paid', async ({ live, follow, isOpenWithStop }) => {
    for (const account of ['SPOT', 'FUTURES'] as const) {
      await live.price('61000');
      const { isSo } = await follow({ account, investPercent: null }, { investPercent: '100' });
      await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false, '61000');
      await isSo('it has bought', isOpenWithStop, '60000');
    }
  });

  onEach('tells a liquidation by the exchange with its loss', async ({ live, follow, isOpenWithStop }) => {
    await live.price('61000');
    const { userId, isSo } = await follow({
      ...{ account: 'FUTURES', leverage: 20, marginType: 'ISOLATED', stopLoss: '40000' },
    });
    await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false, '61000');
    const opened = await isSo('it has bought', isOpenWithStop, '60000');
    const { quantity } = opened.state!.position;
    await live.price('56000');
    const ended = await isSo('it is over', ({ endedAt }) => endedAt !== null);
    assert.deepEqual([ended.status, ended.reason], ['closed', 'the exchange liquidated the position']);
    const { position } = ended.state!;
    assert.deepEqual([position.quantity, position.exited], ['0', quantity]);
    assert.equal(Number(position.exitValue), Number(quantity) * 56_000);
    assert.deepEqual(
      ended.events.filter(({ type }) => type === 'sold_elsewhere'),
      [],
    );
    assert.deepEqual(await live.venue.positions(userId), []);
  });

  onEach('tells the settlement of a delisted contract with its profit', async (desk) => {
    const { live, exchange, follow, isOpenWithStop } = desk;
    await live.price('61000');
    const { isSo } = await follow({ account: 'FUTURES', stopLoss: '40000', targets: [] });
    await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false, '61000');
    const opened = await isSo('it has bought', isOpenWithStop, '60000');
    const { quantity } = opened.state!.position;
    await live.price('63000');
    await exchange.apply({ type: 'settle', symbol: 'BTCUSDT' });
    const ended = await isSo('it is over', ({ endedAt }) => endedAt !== null);
    assert.deepEqual([ended.status, ended.reason], ['closed', 'the exchange settled the contract']);
    const { position } = ended.state!;
    assert.deepEqual([position.quantity, position.exited], ['0', quantity]);
    assert.equal(Number(position.exitValue), Number(quantity) * 63_000);
    const types = ended.events.map(({ type }) => type);
    assert.ok(types.includes('settled') && !types.includes('sold_elsewhere'), types.join());
  });
});
