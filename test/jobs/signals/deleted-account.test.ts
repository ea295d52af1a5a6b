import assert from 'node:assert/strict';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('an account that is deleted while a delivery is in hand', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let worker: HandWorker;
  before(async () => {
    rig = await EngineRig.open(temporary, '105');
    worker = new HandWorker(rig);
  });
  after(() => rig.close());

  for (const terms of [{}, { entryMode: 'market' as const }])
    it(`is ordered nothing for: ${JSON.stringify(terms)}`, async () => {
      const partnerId = `deleted ${JSON.stringify(terms)}`;
      const { id, userId } = await rig.subscribe(`channel of ${partnerId}`, `${partnerId} user`);
      const signal = await rig.signal(partnerId, terms);
      // The delivery has read the subscription. Then it is removed, no execution is found, and the delivery stores one.
      await worker.deliver(partnerId);
      await temporary.storage.subscriptions.removeAll(userId);
      await worker.deliver(partnerId);
      for (let n = 0; n < 3; n++) {
        await temporary.db
          .collection('executions')
          .updateMany({ endedAt: null }, { $set: { dueAt: new Date() } });
        await worker.advance({ partnerId, subscriptionId: id });
      }
      assert.equal((await rig.executionsOf(signal.id)).length, 1);
      assert.deepEqual(
        [...rig.venue.orders.values()].filter(({ order }) => order.userId === userId),
        [],
      );
    });
});
