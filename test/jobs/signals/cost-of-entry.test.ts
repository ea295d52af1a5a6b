import assert from 'node:assert/strict';
import { binanceQuotas } from '../../support/fake-exchange/quotas/binance-quotas.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { keyOf } from '../../support/venues/live-rig.js';
import { isOpenWithStop, LiveScene, waitsForPrice } from '../../support/venues/live-scene.js';

/** The balance for the plan, the comparison (balance and the open orders of the pair), and the order. */
const mostWeight = 20 + 20 + 6 + 1;

describe('the first order of an account on Binance', function () {
  this.timeout(90_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let scene: LiveScene;

  before(async () => {
    scene = await LiveScene.open(context, redis.redis);
    await scene.startEngine();
  });
  after(() => scene.close());
  beforeEach(() => scene.live.price('61000'));

  /** The requests with the key of a user up to its first order. */
  const untilOrder = async (userId: string) => {
    const own = (await scene.exchange.requests()).filter(({ apiKey }) => apiKey === keyOf(userId));
    return own.slice(0, own.findIndex(({ kind }) => kind === 'create') + 1);
  };

  it('uses a small part of the limits, so that 120 accounts can enter within a minute', async () => {
    const { userId, isSo } = await scene.follow();
    await isSo('it waits for its price', waitsForPrice);
    await isSo('it has bought', isOpenWithStop, '60000');
    const requests = await untilOrder(userId);
    const used = binanceQuotas
      .slice(0, 2)
      .map((quota) =>
        requests
          .map(
            (each) =>
              quota.unitsOf({ ...each, headers: {}, body: '' }, new URLSearchParams(each.query))?.units ?? 0,
          )
          .reduce((sum, units) => sum + units, 0),
      );
    assert.ok(used[0] > 0 && used[0] <= mostWeight, `${used[0]} on spot`);
    // Its stream of futures is opened; nothing is read there.
    assert.ok(used[1] <= 1, `${used[1]} on futures`);
  });
});
