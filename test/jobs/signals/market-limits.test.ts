import assert from 'node:assert/strict';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { defaultPairs } from '../../support/fake-exchange/book/traded-pair.js';
import { hasBought, LiveScene } from '../../support/venues/live-scene.js';

const dialects = ['binance', 'bybit', 'kucoin'] as const;

describe('a position that is larger than an order at market may be', function () {
  this.timeout(90_000);
  for (const dialect of dialects) {
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let scene: LiveScene;
    before(async () => {
      scene = await LiveScene.open(context, redis.redis, dialect);
      const [btc] = defaultPairs;
      const pair = { ...btc, futures: { ...btc.futures!, maxMarketQuantity: '0.01' } };
      await scene.exchange.apply({ type: 'pairs', pairs: [pair] });
      await scene.live.price('61000');
      await scene.startEngine();
    });
    after(() => scene.close());

    it(`has a stop at the exchange and is sold in parts on ${dialect}`, async () => {
      const { userId, isSo } = await scene.follow({
        terms: { account: 'FUTURES', targets: [], investPercent: null },
      });
      const { state } = await hasBought(isSo);
      assert.ok(Number(state!.position.quantity) > 0.01, state!.position.quantity);
      const closed = await isSo('it is over', ({ endedAt }) => endedAt !== null, '54000');
      assert.deepEqual([closed.status, closed.state!.position.quantity], ['closed', '0']);
      assert.deepEqual(
        closed.events.filter(({ cause }) => /exceed|max quantity/i.test(cause)),
        [],
      );
      assert.deepEqual(await scene.live.venue.positions(userId), []);
    });
  }
});
