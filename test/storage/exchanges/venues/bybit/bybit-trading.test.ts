import assert from 'node:assert/strict';
import { ExchangeProcess } from '../../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../../support/venues/live-order.js';
import { keyOf, LiveRig } from '../../../../support/venues/live-rig.js';

const rich = { spot: { USDT: '100000' }, mayTradeMargin: true };

describe('orders on Bybit', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let exchange: ExchangeProcess;
  let rig: LiveRig;
  before(async () => {
    exchange = await ExchangeProcess.start('bybit');
    rig = new LiveRig(exchange, context.storage, redis.redis);
  });
  after(() => exchange.close());
  beforeEach(() => rig.price('61000'));

  /** A user with 0.1 BTC. */
  const holder = () => rig.account({ spot: { USDT: '1000', BTC: '0.1' } });
  const paths = async (userId: string) =>
    (await exchange.requests()).filter(({ apiKey }) => apiKey === keyOf(userId)).map(({ path }) => path);

  it('leave no stop behind that waits for the price to come back', async () => {
    const userId = await holder();
    await rig.price('57000');
    const stop = liveOrder(userId, { type: 'stop', side: 'sell', stopPrice: '58000', reduces: true });
    assert.equal(await rig.refusal(stop), 'the price has passed the stop already');
    assert.equal((await rig.found(stop)).status, 'cancelled');
    assert.deepEqual(await rig.venue.openOrders(userId), []);
  });

  it('withdraw such a stop when it is found later', async () => {
    const userId = await holder();
    await rig.price('57000');
    const stop = liveOrder(userId, { type: 'stop', side: 'sell', stopPrice: '58000', reduces: true });
    await exchange.faults({ seed: 1, rules: [{ on: 'create', fault: { kind: 'reset', isDone: true } }] });
    assert.ok('unknown' in (await rig.place(stop)));
    assert.deepEqual(
      (await rig.ledgerOrders(userId)).map(({ status }) => status),
      ['NEW'],
    );
    assert.equal((await rig.found(stop)).status, 'cancelled');
  });

  it('are refused on futures when the price has passed the stop', async () => {
    const userId = await rig.account(rich);
    await rig.accepted(liveOrder(userId, { account: 'FUTURES', type: 'market', leverage: 5 }));
    await rig.price('57000');
    const stop = {
      account: 'FUTURES',
      type: 'stop',
      side: 'sell',
      stopPrice: '58000',
      reduces: true,
    } as const;
    assert.match(await rig.refusal(liveOrder(userId, stop)), /110093/);
  });

  it('hold what a stop on spot will sell from its creation on', async () => {
    const userId = await holder();
    const stop = { type: 'stop', side: 'sell', stopPrice: '58000', reduces: true, quantity: '0.1' } as const;
    await rig.accepted(liveOrder(userId, stop));
    assert.match(
      await rig.refusal(liveOrder(userId, { ...stop, type: 'limit', price: '62000' })),
      /Insufficient/,
    );
  });

  it('are found in the history after the exchange has restarted', async () => {
    const userId = await rig.account(rich);
    const [filled, cancelled] = [liveOrder(userId, { type: 'market' }), liveOrder(userId)];
    await rig.accepted(filled);
    await rig.accepted(cancelled);
    await rig.venue.cancel([cancelled]);
    await exchange.restart();
    const states = [await rig.found(filled), await rig.found(cancelled)];
    assert.deepEqual(
      states.map(({ status, filled: of }) => [status, String(of)]),
      [
        ['filled', '0.01'],
        ['cancelled', '0'],
      ],
    );
    assert.equal((await paths(userId)).filter((path) => path === '/v5/order/history').length, 2);
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

  it('and their trades are listed over several pages', async () => {
    const userId = await rig.account({ spot: { USDT: '100000', BTC: '1' } });
    const many = Array.from({ length: 60 }, () => liveOrder(userId, { price: '50000', quantity: '0.001' }));
    await rig.venue.place(many);
    assert.equal((await rig.venue.openOrders(userId)).length, 60);
    const sold = Array.from({ length: 105 }, () =>
      liveOrder(userId, { side: 'sell', type: 'market', quantity: '0.001', reduces: true }),
    );
    await rig.venue.place(sold);
    const fills = await rig.venue.fillsSince(userId, rig.pair, 'SPOT', Date.now() - 60_000);
    assert.equal(new Set(fills.map(({ tradeId }) => tradeId)).size, sold.length);
  });

  it('pause the key alone when it has sent too much', async () => {
    const [userId, other] = [await rig.account(rich), await rig.account(rich)];
    await rig.accepted(liveOrder(userId));
    const fault = { kind: 'status', isDone: false, status: 200, code: 10006 } as const;
    await exchange.faults({ seed: 1, rules: [{ on: 'create', fault }] });
    const limited = await rig.place(liveOrder(userId));
    assert.ok('postponed' in limited && limited.retryAfterMs === 1_000, JSON.stringify(limited));
    await rig.accepted(liveOrder(other));
    assert.equal((await rig.ledgerOrders(userId)).length, 1);
  });

  describe('on futures', () => {
    const future = (userId: string, more: Parameters<typeof liveOrder>[1] = {}) =>
      liveOrder(userId, { account: 'FUTURES', type: 'market', leverage: 5, ...more });

    it('have their leverage, and the margin mode that the signal asks for', async () => {
      const userId = await rig.account(rich);
      await rig.accepted(future(userId, { marginMode: 'ISOLATED' }));
      const [position] = await rig.venue.positions(userId);
      const { pair, quantity, entryPrice, liquidationPrice } = position;
      assert.deepEqual([pair, String(quantity), String(entryPrice)], [rig.pair, '0.01', '61000']);
      // With 5 times its own money it is closed some 20 % below.
      const fell = Number(String(liquidationPrice)) / 61_000;
      assert.ok(fell > 0.8 && fell < 0.81, String(fell));
    });

    it('change the margin mode of an account without positions only', async () => {
      const userId = await rig.account(rich);
      await rig.accepted(future(userId, { marginMode: 'CROSS' }));
      const answer = await rig.refusal(future(userId, { marginMode: 'ISOLATED' }));
      assert.match(answer, /asks for ISOLATED margin.*close them first/);
      await rig.accepted(future(userId, { side: 'sell', reduces: true }));
      await rig.accepted(future(userId, { marginMode: 'ISOLATED' }));
      assert.match(await rig.refusal(future(userId)), /asks for CROSS margin/);
    });

    it('leave the margin mode of an account alone that has positions of other kinds', async () => {
      for (const otherPosition of ['inverse', 'USDC', 'option'] as const) {
        const userId = await rig.account({ ...rich, otherPosition });
        const answer = await rig.refusal(future(userId, { marginMode: 'ISOLATED' }));
        assert.match(answer, /asks for ISOLATED margin.*close them first/);
        await rig.accepted(future(userId, { marginMode: 'CROSS' }));
      }
    });

    it('reduce a position, and never turn it', async () => {
      const userId = await rig.account(rich);
      await rig.accepted(future(userId));
      const sold = await rig.accepted(future(userId, { side: 'sell', quantity: '0.05', reduces: true }));
      assert.equal(String(sold.filled), '0.01');
      assert.deepEqual(await rig.venue.positions(userId), []);
      assert.match(await rig.refusal(future(userId, { side: 'sell', reduces: true })), /110017/);
    });

    it('tell trades by which the exchange has closed a position', async () => {
      const userId = await rig.account({ spot: { USDT: '1000' } });
      await rig.accepted(future(userId, { quantity: '0.05', marginMode: 'ISOLATED' }));
      await rig.price('40000');
      const fills = await rig.venue.fillsSince(userId, rig.pair, 'FUTURES', 0);
      assert.deepEqual(
        fills.map(({ quantity, isLiquidation = false }) => [String(quantity), isLiquidation]),
        [
          ['0.05', false],
          ['0.05', true],
        ],
      );
    });
  });

  describe('on margin', () => {
    const margin = (userId: string, more: Parameters<typeof liveOrder>[1] = {}) =>
      liveOrder(userId, { account: 'MARGIN', type: 'market', leverage: 5, ...more });

    it('borrow what is missing, for a long and for a short', async () => {
      const userId = await rig.account({ ...rich, spot: { USDT: '1000' } });
      await rig.accepted(margin(userId, { quantity: '0.05' }));
      const held = async () =>
        (await rig.venue.holdings(userId))
          .filter(({ account }) => account === 'MARGIN')
          .map(({ asset, total }) => [asset, total.sign]);
      assert.deepEqual(await held(), [
        ['USDT', -1],
        ['BTC', 1],
      ]);
      const short = await rig.account(rich);
      await rig.accepted(margin(short, { side: 'sell', quantity: '0.05' }));
      const holdings = await rig.venue.holdings(short);
      const btc = holdings.find(({ account, asset }) => account === 'MARGIN' && asset === 'BTC')!;
      assert.equal(String(btc.total), '-0.05');
    });

    it('do not borrow to sell more than is there', async () => {
      const userId = await rig.account(rich);
      await rig.accepted(margin(userId));
      const sale = margin(userId, { side: 'sell', quantity: '0.02', reduces: true });
      assert.match(await rig.refusal(sale), /Insufficient balance/);
    });

    it('raise the leverage of the account where it is too low, and never lower it', async () => {
      const userId = await rig.account(rich);
      await rig.accepted(margin(userId, { leverage: 2 }));
      const changes = async () =>
        (await paths(userId)).filter((path) => path === '/v5/spot-margin-trade/set-leverage').length;
      assert.equal(await changes(), 0);
      await rig.accepted(margin(userId, { leverage: 5 }));
      await rig.accepted(margin(userId, { leverage: 2 }));
      assert.equal(await changes(), 1);
      assert.match(await rig.refusal(margin(userId, { leverage: 20 })), /leverage ratio is out of range/);
    });

    it('are refused with isolated margin, and while margin trading is off', async () => {
      const userId = await rig.account(rich);
      assert.equal(
        await rig.refusal(margin(userId, { marginMode: 'ISOLATED' })),
        'bybit has no isolated margin on spot; use CROSS',
      );
      const off = await rig.account({ spot: { USDT: '1000' } });
      assert.match(await rig.refusal(margin(off)), /margin trading on spot is off/);
    });
  });

  it('are refused for an account that is not unified', async () => {
    const userId = await rig.account({ spot: { USDT: '1000' }, isUnified: false });
    const refused = await rig.refusal(liveOrder(userId));
    assert.match(refused, /unified accounts of bybit only/);
    assert.equal((await (await rig.reader(userId)).permissions()).objection, refused);
  });
});
