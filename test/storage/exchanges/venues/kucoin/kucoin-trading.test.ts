import assert from 'node:assert/strict';
import { Decimal } from '../../../../../compute/model/decimal.js';
import { ExchangeProcess } from '../../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../../support/venues/live-order.js';
import { keyOf, LiveRig } from '../../../../support/venues/live-rig.js';
import { balanceText } from '../../../../support/venues/balance-text.js';

const money = { USDT: '100000' };
const rich = { spot: money, margin: money, futures: money };

describe('orders on KuCoin', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let rig: LiveRig;
  before(async () => {
    exchange = await ExchangeProcess.start('kucoin');
    rig = new LiveRig(exchange, context.storage, redis.redis);
  });
  after(() => exchange.close());
  beforeEach(() => rig.price('61000'));

  it('have their trades listed over several pages, and are not asked for one by one, on spot and margin', async () => {
    for (const account of ['SPOT', 'MARGIN'] as const) {
      const userId = await rig.account({ ...rich, spot: { BTC: '1' }, margin: { BTC: '1' } });
      const sold = Array.from({ length: 105 }, () =>
        liveOrder(userId, { account, side: 'sell', type: 'market', quantity: '0.001', reduces: true }),
      );
      await rig.venue.place(sold);
      const before = (await exchange.requests()).length;
      const fills = await rig.venue.fillsSince(userId, rig.pair, account, Date.now() - 60_000);
      assert.equal(new Set(fills.map(({ tradeId }) => tradeId)).size, sold.length);
      assert.ok((await exchange.requests()).length - before < 10);
    }
  });

  it('are cancelled, not filled, when a part was traded before', async () => {
    const userId = await rig.account(rich);
    const order = liveOrder(userId);
    await rig.accepted(order);
    await exchange.price('BTCUSDT', '59000', '0.004');
    const [cancelled] = await rig.venue.cancel([order]);
    assert.ok(cancelled && 'status' in cancelled);
    assert.deepEqual([cancelled.status, String(cancelled.filled)], ['cancelled', '0.004']);
  });

  it('are listed of all accounts and pairs while they are open', async () => {
    const userId = await rig.account(rich);
    await exchange.price('ETHUSDT', '3000');
    const wanted = [
      liveOrder(userId, { price: '50000' }),
      liveOrder(userId, { price: '2000', quantity: '0.1', pair: { base: 'ETH', quote: 'USDT' } }),
      liveOrder(userId, { price: '50000', account: 'MARGIN' }),
      liveOrder(userId, { price: '50000', account: 'FUTURES', leverage: 3 }),
      liveOrder(userId, { account: 'FUTURES', type: 'stop', stopPrice: '65000', leverage: 3 }),
    ];
    for (const order of wanted) await rig.accepted(order);
    const open = await rig.venue.openOrders(userId);
    assert.deepEqual(
      open.map(({ clientOrderId, account, pair }) => [clientOrderId, account, pair]).sort(),
      wanted.map(({ clientOrderId, account, pair }) => [clientOrderId, account, pair]).sort(),
    );
  });

  it('pause the key alone when it has sent too much', async () => {
    const [userId, other] = [await rig.account(rich), await rig.account(rich)];
    await rig.accepted(liveOrder(userId));
    const fault = { kind: 'status', isDone: false, status: 429, code: 429000 } as const;
    await exchange.faults({ seed: 1, rules: [{ on: 'create', fault }] });
    const limited = await rig.place(liveOrder(userId));
    assert.ok('postponed' in limited && limited.retryAfterMs === 30_000, JSON.stringify(limited));
    await rig.accepted(liveOrder(other));
    assert.equal((await rig.ledgerOrders(userId)).length, 1);
  });

  it('are no stops on spot and margin, where prices are watched instead', async () => {
    const userId = await rig.account({ ...rich, spot: { BTC: '1' } });
    for (const account of ['SPOT', 'MARGIN'] as const) {
      const stop = liveOrder(userId, { account, type: 'stop', side: 'sell', stopPrice: '58000' });
      assert.equal(await rig.refusal(stop), `no stop orders stand on ${account} of KUCOIN`);
    }
    const paths = (await exchange.requests()).filter(({ apiKey }) => apiKey === keyOf(userId));
    assert.deepEqual(
      paths.filter(({ kind }) => kind === 'create'),
      [],
    );
  });

  describe('on futures', () => {
    const future = (userId: string, more: Parameters<typeof liveOrder>[1] = {}) =>
      liveOrder(userId, { account: 'FUTURES', type: 'market', leverage: 5, ...more });

    it('are counted in contracts there, and in the base asset here', async () => {
      const userId = await rig.account(rich);
      const rules = await rig.venue.rules(rig.pair, 'FUTURES');
      assert.deepEqual([String(rules!.stepSize), String(rules!.minQuantity)], ['0.001', '0.001']);
      const { filled, fills } = await rig.accepted(future(userId, { quantity: '0.012' }));
      assert.deepEqual(
        [String(filled), ...fills.map(({ quantity }) => String(quantity))],
        ['0.012', '0.012'],
      );
      const [{ quantity, entryPrice }] = await rig.venue.positions(userId);
      assert.deepEqual([String(quantity), String(entryPrice)], ['0.012', '61000']);
      const [fill] = await rig.venue.fillsSince(userId, rig.pair, 'FUTURES', 0);
      assert.equal(String(fill.quantity), '0.012');
      assert.equal((await rig.ledgerOrders(userId, 'FUTURES'))[0].quantity, '0.012');
    });

    for (const marginMode of ['ISOLATED', 'CROSS'] as const)
      it(`have their leverage with ${marginMode} margin`, async () => {
        const userId = await rig.account({ futures: { USDT: '1000' } });
        await rig.accepted(future(userId, { marginMode, quantity: '0.05' }));
        assert.match(await rig.refusal(future(userId, { marginMode, quantity: '0.05' })), /insufficient/);
        const free = await rig.venue.freeBalances([userId], 'USDT', 'FUTURES');
        // A fifth of 3,050 is set aside, and the fee was paid.
        assert.equal(balanceText(free, userId), String(Decimal.parse('390').minus(Decimal.parse('1.525'))));
      });

    it('do not change the margin mode of a position', async () => {
      const userId = await rig.account(rich);
      await rig.accepted(future(userId, { marginMode: 'CROSS' }));
      assert.match(await rig.refusal(future(userId, { marginMode: 'ISOLATED' })), /330003/);
      await rig.accepted(future(userId, { side: 'sell', reduces: true, marginMode: 'CROSS' }));
      await rig.accepted(future(userId, { marginMode: 'ISOLATED' }));
    });

    it('stand there as stops, and close the position', async () => {
      const userId = await rig.account(rich);
      await rig.accepted(future(userId));
      const stop = future(userId, { type: 'stop', side: 'sell', stopPrice: '58000', reduces: true });
      assert.equal((await rig.accepted(stop)).status, 'open');
      assert.match(
        await rig.refusal(future(userId, { type: 'stop', side: 'sell', stopPrice: '62000', reduces: true })),
        /300012/,
      );
      await rig.price('57900');
      assert.equal((await rig.found(stop)).status, 'filled');
      assert.deepEqual(await rig.venue.positions(userId), []);
    });

    it('are cancelled before they were reached', async () => {
      const userId = await rig.account(rich);
      await rig.accepted(future(userId));
      const stop = future(userId, { type: 'stop', side: 'sell', stopPrice: '58000', reduces: true });
      await rig.accepted(stop);
      const [cancelled] = await rig.venue.cancel([stop]);
      assert.ok(cancelled && 'status' in cancelled && cancelled.status === 'cancelled');
      assert.deepEqual(await rig.venue.openOrders(userId), []);
    });

    it('follow prices at the time at which they stand, however long ago the last trade was', async () => {
      const [tick] = await rig.venue.markets.get('FUTURES')!.ticks([rig.pair]);
      assert.equal(String(tick.price), '61000');
      assert.ok(Math.abs(tick.at - Date.now()) < 60_000, String(tick.at));
    });
  });

  describe('on margin', () => {
    const margin = (userId: string, more: Parameters<typeof liveOrder>[1] = {}) =>
      liveOrder(userId, { account: 'MARGIN', type: 'market', leverage: 3, ...more });

    it('borrow what is missing, and never to sell more than is there', async () => {
      const userId = await rig.account({ margin: { USDT: '1000' } });
      await rig.accepted(margin(userId, { quantity: '0.05' }));
      const owed = (await rig.venue.holdings(userId)).find(({ asset }) => asset === 'USDT')!;
      assert.equal(owed.total.sign, -1);
      assert.match(
        await rig.refusal(margin(userId, { side: 'sell', quantity: '0.1', reduces: true })),
        /Balance insufficient/,
      );
    });
  });

  it('are refused for unified accounts, and for those that are not for many orders', async () => {
    const unified = await rig.account({ ...rich, isUnified: true });
    assert.match(await rig.refusal(liveOrder(unified)), /unified accounts of kucoin/);
    const classic = await rig.account({ ...rich, isHighFrequency: false });
    assert.match(await rig.refusal(liveOrder(classic)), /high-frequency/);
    for (const userId of [unified, classic]) {
      const { objection } = await (await rig.reader(userId)).permissions();
      assert.equal(await rig.refusal(liveOrder(userId)), objection);
    }
  });
});
