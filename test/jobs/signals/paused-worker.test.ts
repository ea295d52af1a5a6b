import assert from 'node:assert/strict';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The test decides which worker does what when. */
describe('a worker that was paused', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let worker: HandWorker;
  beforeEach(async () => {
    rig = await EngineRig.open(temporary, '105');
    worker = new HandWorker(rig);
  });
  afterEach(() => rig.close());

  /** The venue behind a gate that holds placements back. */
  const gated = (more: Partial<TradingVenue> = {}) => {
    const gate = new AbortController();
    const reached = new AbortController();
    const slow = rig.venue.seenAs({
      async place(orders) {
        reached.abort();
        await aborted(gate.signal);
        return rig.venue.place(orders);
      },
      ...more,
    });
    return { slow, open: () => gate.abort(), reached: aborted(reached.signal) };
  };

  it('places an order once, whoever else has placed it', async () => {
    const follower = await follow('twice');
    const signal = await rig.signal('twice');
    await worker.deliver('twice');
    const { slow, open, reached } = gated();
    const paused = worker.advance(follower, slow);
    await reached;
    await worker.advance(follower);
    open();
    await paused;
    assert.equal(rig.venue.orders.size, 1);
    const [execution] = await rig.executionsOf(signal.id);
    assert.deepEqual([execution.status, execution.orders.length], ['open', 1]);
  });

  it('leaves no position behind when the signal was cancelled meanwhile', async () => {
    const follower = await follow('cancelled');
    const signal = await rig.signal('cancelled');
    // An exchange that refuses no order because it was cancelled before, and takes one up to 7 s after it was signed.
    rig.venue.isForgetful = true;
    const { slow, open, reached } = gated({ lateMs: 7_000 });
    const quick: TradingVenue = { ...slow, place: (orders) => rig.venue.place(orders) };
    await worker.deliver('cancelled', quick);
    const paused = worker.advance(follower, slow);
    await reached;
    await rig.command(signal, { type: 'cancel' });
    await worker.deliver('cancelled', quick);
    await worker.advance(follower, quick);
    assert.notEqual((await rig.executionsOf(signal.id))[0].status, 'cancelled');
    // What it sent counts as never sent once the exchange would not take it any more, and has said twice that it does not know it.
    for (let n = 0; n < 2; n++) {
      await rig.age(signal.id, 20_000);
      await worker.advance(follower, quick);
    }
    assert.equal((await rig.executionsOf(signal.id))[0].status, 'cancelled');
    open();
    await paused;
    assert.equal(rig.venue.held(follower.userId).sign, 1);
    await worker.advance(follower, quick);
    assert.equal(rig.venue.held(follower.userId).sign, 0);
    const [execution] = await rig.executionsOf(signal.id);
    assert.ok(execution.endedAt);
    assert.equal(execution.dueAt, null);
  });

  it('has not sent an entry that waits for the comparison of its account, whatever changes meanwhile', async () => {
    const follower = await follow('compared');
    const signal = await rig.signal('compared');
    let lookedUp = 0;
    const { slow, open } = gated({
      lateMs: 7_000,
      find(refs) {
        lookedUp += refs.length;
        return rig.venue.find(refs);
      },
    });
    open();
    await worker.deliver('compared', slow);
    worker.ready = async () => {
      worker.ready = () => Promise.resolve(null);
      const [{ id }] = await rig.executionsOf(signal.id);
      await temporary.storage.executions.wake([id], Date.now());
      return 'its account is being compared';
    };
    await worker.advance(follower, slow);
    assert.equal(rig.venue.orders.size, 0);
    await worker.advance(follower, slow);
    assert.deepEqual([rig.venue.orders.size, lookedUp], [1, 0]);
  });

  const follow = async (partner: string) => {
    const { id, userId } = await rig.subscribe(`channel of ${partner}`, `${partner} user`);
    return { partnerId: partner, subscriptionId: id, userId };
  };
});
