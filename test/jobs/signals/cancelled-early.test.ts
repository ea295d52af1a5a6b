import assert from 'node:assert/strict';
import { PaperVenue } from '../../../storage/exchanges/paper/paper-venue.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('a signal on the paper exchange that is cancelled before its orders are placed', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let venue: PaperVenue;
  let worker: HandWorker;
  before(async () => {
    rig = await EngineRig.open(temporary, '105', 'demo');
    const { storage, redis } = rig;
    venue = new PaperVenue({ storage, redis, startingBalance: '10000' });
    worker = new HandWorker(rig);
  });
  after(() => rig.close());

  for (const account of ['SPOT', 'MARGIN', 'FUTURES'] as const)
    it(`ends on ${account} when a worker first looks at it, and nothing is bought later`, async () => {
      const partnerId = `early ${account}`;
      const { id, userId } = await rig.subscribe(`channel of ${partnerId}`, `${partnerId} user`);
      const signal = await rig.signal(partnerId, { account });
      const state = async () => (await rig.executionsOf(signal.id))[0];
      await worker.deliver(partnerId);
      // The orders are stored as sent, and the worker that stored them is about to place them.
      const [order] = (await state()).orders;
      assert.equal(order.status, 'sent');
      await rig.command(signal, { type: 'cancel' });
      await worker.deliver(partnerId);
      await worker.advance({ partnerId, subscriptionId: id }, venue);
      const { status, endedAt, dueAt, orders } = await state();
      assert.deepEqual(
        [status, dueAt, orders.map((each) => each.status)],
        ['cancelled', null, ['cancelled']],
      );
      assert.ok(endedAt);
      const { clientOrderId, quantity } = order;
      const [late] = await venue.find([
        { userId, pair: { base: 'BTC', quote: 'USDT' }, account, clientOrderId },
      ]);
      assert.ok(late?.status === 'cancelled' && quantity !== '0', JSON.stringify(late));
      assert.deepEqual(await venue.openOrders(userId), []);
      assert.deepEqual(await venue.positions(userId), []);
    });
});
