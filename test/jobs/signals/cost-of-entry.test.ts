import assert from 'node:assert/strict';
import { keyOf } from '../../support/venues/live-rig.js';
import { hasBought, type LiveScene, temporaryScene } from '../../support/venues/live-scene.js';

describe('the first order of an account on Binance', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  temporaryScene(async (opened) => {
    scene = opened;
    await scene.startEngine();
  });
  beforeEach(() => scene.live.price('61000'));

  /** The requests with the key of a user up to its first order. */
  const untilOrder = async (userId: string) => {
    const own = (await scene.exchange.requests()).filter(({ apiKey }) => apiKey === keyOf(userId));
    return own.slice(0, own.findIndex(({ kind }) => kind === 'create') + 1);
  };

  it('reads only what the signal needs, and nothing twice', async () => {
    const { userId, isSo } = await scene.follow();
    await hasBought(isSo);
    const requests = await untilOrder(userId);
    const counted = (path: string) => requests.filter((each) => each.path === path);
    const compared = counted('/api/v3/openOrders');
    // The balance is read for the plan, and with each comparison; the limits of the subscription take one of these.
    assert.ok(counted('/api/v3/account').length <= 1 + compared.length, `${compared.length} comparisons`);
    // 6 of the weight a minute instead of 80.
    assert.ok(compared.length > 0 && compared.every(({ query }) => query.includes('symbol=BTCUSDT')));
    // Nothing is read where the signal has nothing; its streams are opened.
    const elsewhere = requests.filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/'));
    assert.deepEqual(
      elsewhere.map(({ path }) => path).filter((path) => path !== '/sapi/v1/account/apiRestrictions'),
      [],
    );
  });
});
