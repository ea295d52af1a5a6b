import assert from 'node:assert/strict';
import { until } from '../../support/process/until.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';

/** A sweep comes after 5 s at the latest. Without it the orders would be due 25 s after their delivery. */
const withinMs = 20_000;

describe('orders of a delivery whose worker has ended', function () {
  this.timeout(60_000);
  const temporary = temporaryStorage();
  let rig: EngineRig;
  beforeEach(async () => (rig = await EngineRig.open(temporary, '105')));
  afterEach(() => rig.close());

  let partners = 0;
  /** A signal that is delivered to some users, and whose orders no worker has placed. */
  const delivered = async () => {
    const partnerId = `lost ${++partners}`;
    await rig.subscribeAll(
      `channel of ${partnerId}`,
      Array.from({ length: 20 }, (_, n) => `${partnerId} user ${n}`),
    );
    const signal = await rig.signal(partnerId);
    const worker = new HandWorker(rig);
    while (await worker.deliver(partnerId));
    const found = await rig.executionsOf(signal.id);
    assert.ok(found.every(({ orders, dueAt }) => orders.length === 1 && dueAt!.getTime() > Date.now()));
    return signal;
  };
  const areBought = (signalId: string) =>
    until(
      'all have bought',
      async () => (await rig.executionsOf(signalId)).every(({ status }) => status === 'open'),
      withinMs,
    );

  it('are placed by the next worker within seconds, though Redis was emptied', async () => {
    const signal = await delivered();
    await rig.redis.flushdb();
    await rig.startEngine();
    await areBought(signal.id);
    assert.equal(new Set(rig.venue.asked).size, 20);
  });

  it('are placed by another worker within seconds, when Redis is emptied while it runs', async () => {
    await rig.startEngine();
    const signal = await delivered();
    await rig.redis.flushdb();
    await areBought(signal.id);
    assert.equal(new Set(rig.venue.asked).size, 20);
  });

  it('announce what they wait for as it is stored, when the delivery is repeated at another price', async () => {
    const partnerId = `lost ${++partners}`;
    await rig.subscribe(`channel of ${partnerId}`, `${partnerId} user`);
    const signal = await rig.signal(partnerId);
    const before = (await rig.storage.signals.find(partnerId, signal.id))!;
    const worker = new HandWorker(rig);
    worker.price = 115;
    await worker.deliver(partnerId);
    const [stored] = await rig.executionsOf(signal.id);
    assert.notEqual(stored.watched, null);
    // The worker has ended before it could note the delivery.
    const { delivery, dueAt } = before;
    const signals = temporary.db.collection<{ _id: string }>('signals');
    await signals.updateOne({ _id: signal.id }, { $set: { delivery, dueAt } });
    worker.price = 105;
    await worker.deliver(partnerId);
    const levels = worker.announced.map(({ watched, orders }) => ({ watched, orders }));
    assert.deepEqual(levels, Array(2).fill({ watched: stored.watched, orders: [] }));
  });
});
