import assert from 'node:assert/strict';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';

describe('OpenedNotes', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  afterEach(() => rig.close());

  /** Whether a time is between the beginning of a test and now; null without a time. */
  const isBetween = (at: Date | undefined, since: number) =>
    at ? at.getTime() >= since && at.getTime() <= Date.now() : null;

  it('say of each order that it stands, and leave out what has changed meanwhile until it is looked at', async () => {
    // Without a price at the venue, orders stand.
    const startedAt = Date.now();
    rig = await EngineRig.open(temporary, null);
    const worker = new HandWorker(rig);
    for (const user of ['a', 'b', 'c']) await rig.subscribe('channel of opened', user);
    const signal = await rig.signal('opened');
    while (await worker.deliver('opened'));
    const delivered = await rig.executionsOf(signal.id);
    for (const execution of delivered) while (await worker.advance(execution));
    assert.equal(rig.venue.orders.size, 3);
    const tick = { price: '106', high: '106', low: '106', since: new Date(), at: new Date() };
    await rig.storage.executions.cross([delivered[1].id], tick, Date.now());
    await worker.opened.close();
    const noted = await rig.executionsOf(signal.id);
    assert.deepEqual(
      noted.map(({ userId, orders, revision, dueAt }) => [
        userId,
        orders[0].status,
        revision,
        dueAt === null,
        isBetween(orders[0].acknowledgedAt, startedAt),
      ]),
      [
        ['a', 'open', 1, true, true],
        ['b', 'sent', 2, false, null],
        ['c', 'open', 1, true, true],
      ],
    );
    while (await worker.advance(delivered[1]));
    await worker.opened.close();
    const [, looked] = await rig.executionsOf(signal.id);
    assert.deepEqual(
      [looked.orders[0].status, looked.crossings, looked.dueAt, looked.state!.lastPrice],
      ['open', [], null, '106'],
    );
    assert.equal(rig.venue.orders.size, 3);
    assert.equal(isBetween(looked.orders[0].acknowledgedAt, startedAt), true);
  });
});
