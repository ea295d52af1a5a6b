import assert from 'node:assert/strict';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { liveOrder } from '../../../support/venues/live-order.js';
import { keyOf, LiveRig } from '../../../support/venues/live-rig.js';

for (const dialect of ['binance', 'bybit', 'kucoin'] as const)
  describe(`a futures account of ${dialect} in hedge mode`, function () {
    this.timeout(60_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let exchange: ExchangeProcess;
    let rig: LiveRig;
    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      rig = new LiveRig(exchange, context.storage, redis.redis);
    });
    after(() => exchange.close());
    beforeEach(() => rig.price('60000'));

    const money = dialect === 'bybit' ? { spot: { USDT: '10000' } } : { futures: { USDT: '10000' } };
    const onFutures = { account: 'FUTURES', leverage: 5, marginMode: 'ISOLATED' } as const;
    const quantities = async (userId: string) =>
      (await rig.venue.positions(userId)).map(({ quantity, isHedged }) => [String(quantity), isHedged]);

    it('holds a long and a short side by side, with a stop each, and closes each by itself', async () => {
      const userId = await rig.account({ ...money, isHedged: true });
      assert.equal(await rig.venue.isHedged(userId, rig.pair), true);
      for (const side of ['buy', 'sell'] as const)
        await rig.accepted(liveOrder(userId, { ...onFutures, side, type: 'market' }));
      assert.deepEqual(await quantities(userId), [
        ['0.01', true],
        ['-0.01', true],
      ]);
      const stop = { ...onFutures, type: 'stop', reduces: true } as const;
      const below = liveOrder(userId, { ...stop, side: 'sell', stopPrice: '58000' });
      const above = liveOrder(userId, { ...stop, side: 'buy', stopPrice: '62000' });
      for (const order of [below, above]) await rig.accepted(order);
      await rig.price('61000');
      assert.equal((await quantities(userId)).length, 2);
      await rig.price('57000');
      assert.deepEqual(await quantities(userId), [['-0.01', true]]);
      assert.deepEqual(
        [(await rig.found(below)).status, (await rig.found(above)).status],
        ['filled', 'open'],
      );
      // What only reduces opens nothing: the long is gone, and the short is smaller than that.
      for (const order of [
        { side: 'sell', price: '57500' } as const,
        { side: 'buy', price: '57000', quantity: '0.02' } as const,
      ]) {
        const placed = await rig.place(liveOrder(userId, { ...onFutures, ...order, reduces: true }));
        assert.ok('refused' in placed, JSON.stringify(placed));
      }
      assert.ok((await quantities(userId)).every(([quantity]) => quantity === '-0.01'));
      await rig.venue.cancel([above]);
      await rig.place(liveOrder(userId, { ...onFutures, side: 'buy', type: 'market', reduces: true }));
      assert.deepEqual(await quantities(userId), []);
    });

    it('gets its stops although its mode cannot be read', async () => {
      const userId = await rig.account(money);
      await rig.accepted(liveOrder(userId, { ...onFutures, type: 'market' }));
      const other = rig.open();
      const path = {
        binance: '/fapi/v1/accountConfig',
        bybit: '/v5/position/list',
        kucoin: '/api/v2/position/getPositionMode',
      };
      const fault = { kind: 'status', isDone: false, status: 503 } as const;
      await exchange.faults({ seed: 1, rules: [{ on: 'any', path: path[dialect], times: null, fault }] });
      const stop = { ...onFutures, type: 'stop', reduces: true, side: 'sell', stopPrice: '58000' } as const;
      const [placed] = await other.place([liveOrder(userId, stop)]);
      await exchange.faults({ seed: 1, rules: [] });
      assert.ok('state' in placed, JSON.stringify(placed));
    });

    it('is told of a liquidation by the side that it has closed', async () => {
      const userId = await rig.account({ ...money, isHedged: true });
      const terms = { ...onFutures, leverage: 50, type: 'market' } as const;
      for (const side of ['buy', 'sell'] as const) await rig.accepted(liveOrder(userId, { ...terms, side }));
      await rig.price('50000');
      assert.deepEqual(await quantities(userId), [['-0.01', true]]);
      const fills = await rig.venue.fillsSince(userId, rig.pair, 'FUTURES', 0);
      assert.deepEqual(
        fills.filter(({ isLiquidation }) => isLiquidation).map(({ side }) => side),
        ['sell'],
      );
    });

    it('is traded as it is now when its owner has switched it', async () => {
      const userId = await rig.account(money);
      const order = { ...onFutures, type: 'market' } as const;
      await rig.accepted(liveOrder(userId, order));
      await rig.accepted(liveOrder(userId, { ...order, side: 'sell', reduces: true }));
      await exchange.apply({ type: 'position mode', apiKey: keyOf(userId), isHedged: true });
      await rig.accepted(liveOrder(userId, order));
      assert.deepEqual(await quantities(userId), [['0.01', true]]);
    });
  });
