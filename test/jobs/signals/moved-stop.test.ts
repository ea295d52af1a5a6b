import assert from 'node:assert/strict';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import { keyOf } from '../../support/venues/live-rig.js';
import { hasBought, type LiveScene, temporaryScene } from '../../support/venues/live-scene.js';

describe('a stop that is moved', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  temporaryScene(async (opened) => {
    scene = opened;
    await scene.startEngine();
  });
  beforeEach(() => scene.live.price('61000'));

  // The first look-up is for what has happened before the command is taken.
  for (const { targets, requests } of [
    { targets: [], requests: ['GET order', 'POST order/cancelReplace'] },
    // No request replaces an order list: it is cancelled, whose answer tells its end, and the next one is placed at once.
    { targets: ['66000'], requests: ['GET order', 'DELETE order', 'POST orderList/oco'] },
  ] as const)
    it(`asks for nothing but that with ${targets.length} targets`, async () => {
      const { userId, signal, isSo } = await scene.follow({ terms: { targets: [...targets] } });
      await hasBought(isSo);
      const before = (await scene.exchange.requests()).length;
      await scene.rig.command(signal, { type: 'update_prices', stopLoss: '56000' });
      const isMoved = ({ orders }: StoredExecution) =>
        orders.some(
          ({ leg, stopPrice, status }) => leg === 'stop' && stopPrice === '56000' && status === 'open',
        ) &&
        orders.every(
          ({ leg, stopPrice, status }) => leg !== 'stop' || stopPrice === '56000' || status === 'cancelled',
        );
      await isSo('it has moved', isMoved, '61000');
      const asked = (await scene.exchange.requests()).slice(before);
      const own = asked.filter(({ apiKey, path }) => apiKey === keyOf(userId) && path.includes('/order'));
      const names = own.map(({ method, path }) => `${method} ${path.replace('/api/v3/', '')}`);
      assert.deepEqual(names.slice(0, requests.length), requests);
      // The private stream may tell of the orders before their answers are stored: then they are looked up once more.
      assert.deepEqual(
        new Set(names.slice(requests.length)),
        new Set(names.length > requests.length ? ['GET order'] : []),
      );
    });
});
