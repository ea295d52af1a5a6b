import assert from 'node:assert/strict';
import { AppError } from '../../../compute/model/errors.js';
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

  it('are not taken of an execution that still has an order to cancel: what that leads to is written at once', async () => {
    rig = await EngineRig.open(temporary, '105');
    const { worker, signal, execution } = await holding('moved');
    // The note of the first stop comes too late, and the worker that was to place a smaller one is gone.
    const tick = { price: '121', high: '121', low: '121', since: new Date(), at: new Date() };
    await rig.storage.executions.cross([execution.id], tick, Date.now());
    await worker.opened.close();
    const gone = rig.venue.seenAs({ place: () => Promise.reject(new AppError('redis_unavailable', 'gone')) });
    await assert.rejects(worker.advance(execution, gone), /gone/);
    await rig.age(signal.id, 20_000);
    await worker.advance(execution);
    const [moved] = await rig.executionsOf(signal.id);
    assert.deepEqual(
      moved.orders.map(({ leg, status, quantity }) => [leg, status, quantity]),
      [
        ['entry-1', 'filled', '4.5454'],
        ['stop', 'cancelled', '4.5454'],
        ['stop', 'open', '2.2727'],
        ['target-1', 'sent', '2.2727'],
      ],
    );
  });

  it('a price that comes while an order is sent changes nothing that its answer is written over', async () => {
    rig = await EngineRig.open(temporary, '105');
    const { worker, signal, execution } = await holding('priced');
    worker.announced.length = 0;
    const announced: number[] = [];
    const venue = rig.venue.seenAs({
      place(orders) {
        announced.push(worker.announced.length);
        return rig.venue.place(orders);
      },
    });
    await worker.opened.close();
    await rig.command(signal, { type: 'update_prices', stopLoss: '95' });
    await rig.age(signal.id, 0);
    while (await worker.advance(execution, venue));
    await worker.opened.close();
    const [moved] = await rig.executionsOf(signal.id);
    assert.deepEqual(announced, [0]);
    assert.equal(worker.announced.at(-1)?.watched?.worse, '95');
    assert.equal(moved.orders.at(-1)?.status, 'open');
  });

  /** A follower who holds a position with its stop on the exchange. */
  async function holding(partner: string) {
    const worker = new HandWorker(rig);
    await rig.subscribe(`channel of ${partner}`, `user of ${partner}`, { stopOnExchange: true });
    const signal = await rig.signal(partner);
    while (await worker.deliver(partner));
    const [execution] = await rig.executionsOf(signal.id);
    while (await worker.advance(execution));
    return { worker, signal, execution };
  }
});
