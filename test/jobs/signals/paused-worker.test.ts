import assert from 'node:assert/strict';
import { pino } from 'pino';
import { advanceExecutions, type AdvanceTools } from '../../../jobs/signals/advance-executions.js';
import { deliverSignals } from '../../../jobs/signals/deliver-signals.js';
import { SubscriberPages } from '../../../jobs/signals/subscriber-pages.js';
import { slotOf } from '../../../jobs/signals/partner-slots.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Workers are functions here: the test decides who does what when. */
describe('a worker that was paused', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  afterEach(() => rig.close());

  const tools = (venue: TradingVenue): AdvanceTools => ({
    storage: temporary.storage,
    venues: new Map([['PAPER', venue]]),
    levels: { announce: () => Promise.resolve() },
    wakeAt: () => undefined,
    log: pino({ level: 'silent' }),
  });

  const deliver = async (partnerId: string) => {
    const prices = { find: () => Promise.resolve({ price: 105, change24hPercent: null, time: Date.now() }) };
    const queue = { wake: () => Promise.resolve() };
    const { venues, levels, storage } = tools(rig.venue);
    const subscribers = new SubscriberPages(temporary.storage.subscriptions);
    const delivering = { storage, subscribers, prices, venues, queue, levels, market: rig.market };
    await deliverSignals(delivering, { partnerId, slot: 0 });
  };

  /** The venue behind a gate that holds placements back. */
  const gated = () => {
    const gate = new AbortController();
    const reached = new AbortController();
    const { venue } = rig;
    const slow: TradingVenue = {
      id: venue.id,
      standingStops: venue.standingStops,
      rules: () => venue.rules(),
      freeBalances: (users) => venue.freeBalances(users),
      find: (refs) => venue.find(refs),
      cancel: (refs) => venue.cancel(refs),
      openOrders: (userId) => venue.openOrders(userId),
      holdings: () => venue.holdings(),
      positions: () => venue.positions(),
      fillsSince: (...asked) => venue.fillsSince(...asked),
      async place(orders) {
        reached.abort();
        await aborted(gate.signal);
        return venue.place(orders);
      },
    };
    return { slow, open: () => gate.abort(), reached: aborted(reached.signal) };
  };

  it('places an order once, whoever else has placed it', async () => {
    rig = await EngineRig.open(temporary, '105');
    const { slot } = await follow('twice');
    const signal = await rig.signal('twice');
    await deliver('twice');
    const { slow, open, reached } = gated();
    const paused = advanceExecutions(tools(slow), slot);
    await reached;
    await advanceExecutions(tools(rig.venue), slot);
    open();
    await paused;
    assert.equal(rig.venue.orders.size, 1);
    const [execution] = await rig.executionsOf(signal.id);
    assert.deepEqual([execution.status, execution.orders.length], ['open', 1]);
  });

  it('leaves no position behind when the signal was cancelled meanwhile', async () => {
    rig = await EngineRig.open(temporary, '105');
    const { slot, userId } = await follow('cancelled');
    const signal = await rig.signal('cancelled');
    await deliver('cancelled');
    const { slow, open, reached } = gated();
    const paused = advanceExecutions(tools(slow), slot);
    await reached;
    await rig.command(signal, { type: 'cancel' });
    await deliver('cancelled');
    await advanceExecutions(tools(rig.venue), slot);
    // What it sent is not known to the exchange, and counts as never sent once the exchange would not take it any more.
    await age(signal.id, 20_000);
    await advanceExecutions(tools(rig.venue), slot);
    assert.equal((await rig.executionsOf(signal.id))[0].status, 'cancelled');
    open();
    await paused;
    assert.equal(rig.venue.held(userId).sign, 1);
    await advanceExecutions(tools(rig.venue), slot);
    assert.equal(rig.venue.held(userId).sign, 0);
    const [execution] = await rig.executionsOf(signal.id);
    assert.ok(execution.endedAt);
    assert.equal(execution.dueAt, null);
  });

  const follow = async (partner: string) => {
    const { id, userId } = await rig.subscribe(`channel of ${partner}`, `${partner} user`);
    return { slot: { partnerId: partner, slot: slotOf(id) }, userId };
  };

  /** Lets time pass for the orders of a signal, and makes its executions due. */
  const age = async (signalId: string, ms: number) => {
    const [{ id, orders }] = await rig.executionsOf(signalId);
    const times = { 'orders.0.createdAt': new Date(orders[0].createdAt.getTime() - ms), dueAt: new Date() };
    await temporary.db.collection<{ _id: string }>('executions').updateOne({ _id: id }, { $set: times });
  };
});
