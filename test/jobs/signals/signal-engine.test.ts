import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Filter } from 'mongodb';
import { Decimal } from '../../../compute/model/decimal.js';
import type { ExecutionDocument } from '../../../storage/signals/executions.js';
import { WatchProgress } from '../../../storage/signals/watch-progress.js';
import { MemoryVenue } from '../../support/signals/memory-venue.js';
import { signalTerms } from '../../support/signals/signal-terms.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { until } from '../../support/process/until.js';

/** More subscribers than are delivered to in one portion of 250, or whose executions are advanced in one of 100. */
const many = 260;

describe('signal engine', function () {
  this.timeout(90_000);
  // Before the database is closed.
  after(() => cancelling.catch(() => undefined));
  const temporary = temporaryStorage();
  // Engines work on all that is due in their database.
  const apart = temporaryStorage();
  let rig: EngineRig;
  afterEach(() => rig.close());

  let partners = 0;
  const newPartner = () => `partner ${++partners}`;

  /** The executions of a signal, once all of them are as wanted. */
  const executions = async (signalId: string, count: number, wanted: Filter<ExecutionDocument>) => {
    await until('the executions', async () => {
      await rig.repeatPrice();
      return (await rig.countOf(signalId, wanted)) === count;
    });
    const found = await rig.executionsOf(signalId);
    assert.equal(found.length, count);
    return found;
  };

  const subscribers = (partner: string, count: number, on = rig) =>
    on.subscribeAll(
      `channel of ${partner}`,
      Array.from({ length: count }, (_, n) => `${partner} user ${n}`),
    );

  /** Orders that may have been sent are proved to be absent, which takes 20 s: other tests run meanwhile. */
  async function cancelEarly(): Promise<void> {
    const own = await EngineRig.open(apart, '105');
    try {
      await cancelAfter5Ms(own);
    } finally {
      await own.close();
    }
  }
  async function cancelAfter5Ms(own: EngineRig): Promise<void> {
    await own.startEngine();
    const partner = newPartner();
    await subscribers(partner, many, own);
    const signal = await own.signal(partner);
    await delay(5);
    await own.command(signal, { type: 'cancel' });
    await until('the end', async () => {
      const [present] = await apart.storage.signals.ofIds([signal.id]);
      return present.dueAt === null && (await own.countOf(signal.id, { endedAt: null })) === 0;
    });
    for (let n = 0; n < many; n++) assert.equal(own.venue.held(`${partner} user ${n}`).sign, 0);
    assert.ok([...own.venue.orders.values()].every(({ state }) => state.status !== 'open'));
  }
  let cancelling: Promise<void>;
  before(() => {
    cancelling = cancelEarly();
    // Its failure is that of the test that awaits it.
    cancelling.catch(() => undefined);
  });

  it('brings a signal to a subscriber, buys, sells at its targets, and closes', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine();
    const partner = newPartner();
    await subscribers(partner, 1);
    const signal = await rig.signal(partner);
    const [open] = await executions(signal.id, 1, { status: 'open' });
    assert.equal(open.orders[0].status, 'filled');
    await rig.tickUntil('121', async () => {
      const [found] = await rig.executionsOf(signal.id);
      return found.orders.some(({ leg, status }) => leg === 'target-1' && status === 'filled');
    });
    await rig.tick('131');
    const [closed] = await executions(signal.id, 1, { status: 'closed' });
    assert.deepEqual(
      closed.orders.map(({ leg, side, status, price }) => [leg, side, status, price]),
      [
        ['entry-1', 'buy', 'filled', '110'],
        ['target-1', 'sell', 'filled', '120'],
        ['target-2', 'sell', 'filled', '130'],
      ],
    );
    assert.equal(rig.venue.held(closed.userId).sign, 0);
    assert.deepEqual([closed.reason, closed.dueAt], ['everything is sold', null]);
    assert.equal(rig.venue.asked.length, 3);
  });

  it('waits for the price without work, and buys when a tick comes into the zone', async () => {
    rig = await EngineRig.open(temporary, '115');
    await rig.startEngine();
    const partner = newPartner();
    await subscribers(partner, 1);
    const signal = await rig.signal(partner);
    const [waiting] = await executions(signal.id, 1, { status: 'entry_pending' });
    assert.deepEqual([waiting.dueAt, waiting.watched?.worse, waiting.orders], [null, '110', []]);
    await rig.tickUntil('108', async () => (await rig.executionsOf(signal.id))[0].status === 'open');
  });

  it('says why a subscriber does not follow', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine();
    const partner = newPartner();
    const channel = `channel of ${partner}`;
    const follow = (user: string, more: object) => rig.subscribe(channel, `${partner} ${user}`, more);
    await follow('short', { sides: ['short'] });
    await follow('shown', { autoInvest: false });
    await follow('spot', { accounts: ['MARGIN'] });
    await follow('small', { investPercent: '0.01' });
    const paused = await follow('paused', {});
    await temporary.storage.subscriptions.change(paused.userId, paused.id, { isPaused: true });
    const signal = await rig.signal(partner);
    const skipped = await executions(signal.id, 5, { status: 'skipped' });
    assert.deepEqual(
      skipped.map(({ reason }) => reason),
      [
        'the subscription follows no long signals',
        'auto-invest is off',
        'the subscription follows no signals on SPOT accounts',
        'the investment of 1 is below the minimum of the exchange',
        'the subscription is paused',
      ],
    );
    assert.deepEqual(rig.venue.asked, []);
    // The exchange has nothing to say of those who would not follow in any case.
    assert.deepEqual(rig.venue.balancesAsked, [`${partner} small`]);
  });

  it('follows at most as many signals at the same time as the subscription allows', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine();
    const partner = newPartner();
    await rig.subscribe(`channel of ${partner}`, `${partner} user`, { maxOpenSignals: 1 });
    const first = await rig.signal(partner);
    await executions(first.id, 1, { status: 'open' });
    const second = await rig.signal(partner);
    const [skipped] = await executions(second.id, 1, { status: 'skipped' });
    assert.equal(
      skipped.reason,
      '1 signals are followed already, which is the most that the subscription allows',
    );
    // At the delivery and before the order of the first signal; the second needs no balance.
    assert.deepEqual(rig.venue.balancesAsked, [`${partner} user`, `${partner} user`]);
  });

  it('buys nothing of a partner that the operator has halted, and closes what a user wishes', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine({ sweepMs: 300 });
    const partner = newPartner();
    await subscribers(partner, 1);
    const first = await rig.signal(partner);
    const [{ userId }] = await executions(first.id, 1, { status: 'open' });
    await temporary.storage.halts.add({ exchange: null, partnerId: partner });
    const second = await rig.signal(partner);
    const [halted] = await executions(second.id, 1, { status: 'entry_pending' });
    assert.deepEqual([halted.state!.isHalted, halted.orders], [true, []]);
    assert.deepEqual(halted.watched, { worse: '90', better: '120', everyTick: false });
    await temporary.storage.executionReads.wishClose({ userId });
    const [closed] = await executions(first.id, 1, { status: 'closed' });
    assert.equal(closed.reason, 'the user closed it');
    assert.equal(rig.venue.held(userId).sign, 0);
  });

  it('ends what has bought nothing when its subscription is removed, and manages what is held', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine();
    const partner = newPartner();
    const { userId, id } = await rig.subscribe(`channel of ${partner}`, `${partner} user`);
    const held = await rig.signal(partner);
    await executions(held.id, 1, { status: 'open' });
    const later = { price: '60', zoneEnd: '50' };
    const waiting = await rig.signal(partner, {
      entries: [{ ...signalTerms.entries[0], ...later }],
      stopLoss: '40',
    });
    await executions(waiting.id, 1, { status: 'entry_pending' });
    await temporary.storage.subscriptions.remove(userId, id);
    await temporary.storage.executionReads.wakeOpen({ userId, subscriptionId: id });
    const [ended] = await executions(waiting.id, 1, { status: 'closed' });
    assert.deepEqual([ended.reason, ended.orders], ['the subscription was removed', []]);
    await rig.tickUntil(
      '121',
      async () => (await rig.countOf(held.id, { 'state.targets.0.state': 'done' })) === 1,
    );
  });

  it('tells the price of liquidation after the fill that opens the position, without another event', async () => {
    rig = await EngineRig.open(temporary, '105');
    rig.venue.liquidationPrice = Decimal.parse('84');
    await rig.startEngine({ reconcileMs: 600_000 });
    const partner = newPartner();
    await subscribers(partner, 1);
    const signal = await rig.signal(partner, { account: 'FUTURES', leverage: 5 });
    const line = await until('the price of liquidation', async () => {
      const [found] = await rig.executionsOf(signal.id);
      return found?.events.find(({ type }) => type === 'liquidation_price');
    });
    assert.deepEqual(line.figures, { price: '84' });
  });

  it('trades on one exchange while another does not answer', async () => {
    rig = await EngineRig.open(temporary, '105');
    const slow = new MemoryVenue('105');
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const place = slow.place.bind(slow);
    slow.place = async (orders) => {
      await answered;
      return place(orders);
    };
    await rig.startEngine({
      venues: new Map([
        ['SLOW', slow],
        ['PAPER', rig.venue],
      ]),
    });
    const partner = newPartner();
    // In each of the four slots, and due before those of the other exchange.
    for (let n = 0; n < 20; n++)
      await rig.subscribe(`channel of ${partner}`, `slow ${n}`, { exchange: 'SLOW' });
    await subscribers(partner, 4);
    const signal = await rig.signal(partner);
    try {
      const isOpen = { status: 'open' as const, exchange: 'PAPER' };
      await until('the trades', async () => (await rig.countOf(signal.id, isOpen)) === 4);
      assert.equal(slow.orders.size, 0);
    } finally {
      answer();
    }
    await executions(signal.id, 24, { status: 'open' });
  });

  it('looks an order up whose answer was lost, and places none twice', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine();
    rig.venue.lostAnswers = 2;
    const partner = newPartner();
    await subscribers(partner, 2);
    const signal = await rig.signal(partner);
    await executions(signal.id, 2, { status: 'open' });
    assert.equal(rig.venue.orders.size, 2);
    assert.equal(rig.venue.asked.length, 2);
  });

  it('goes on after Redis has lost everything', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine({ sweepMs: 300 });
    const partner = newPartner();
    await subscribers(partner, many);
    const signal = await rig.signal(partner);
    await until('the first', async () => (await rig.countOf(signal.id)) > 0);
    await rig.redis.flushdb();
    // The last price is lost, too.
    await rig.tickUntil('105', async () => (await rig.countOf(signal.id, { status: 'open' })) === many);
    await rig.redis.flushdb();
    await rig.tickUntil('131', async () => (await rig.countOf(signal.id, { status: 'closed' })) === many);
    assert.equal(await rig.countOf(signal.id), many);
    assert.equal(rig.venue.orders.size, new Set(rig.venue.asked).size);
    assert.ok([...rig.venue.orders.values()].every(({ state }) => state.status === 'filled'));
  });

  it('makes good what a price reached while no process watched', async () => {
    rig = await EngineRig.open(temporary, '105');
    const first = await rig.startEngine();
    const partner = newPartner();
    await subscribers(partner, 1);
    const signal = await rig.signal(partner);
    await executions(signal.id, 1, { status: 'open' });
    const progress = new WatchProgress(rig.redis, rig.market);
    await rig.tickUntil('106', async () => (await progress.read()) !== null);
    await first.close();
    await rig.tick('125');
    await rig.tick('106');
    await rig.startEngine();
    await rig.tickUntil('106', async () => {
      const [{ orders }] = await rig.executionsOf(signal.id);
      return orders.some(({ leg }) => leg === 'target-1');
    });
  });

  it('works in two processes at once as in one', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine();
    await rig.startEngine();
    const partner = newPartner();
    await subscribers(partner, many);
    const signal = await rig.signal(partner);
    await executions(signal.id, many, { status: 'open' });
    assert.equal(rig.venue.orders.size, many);
    await rig.tickUntil('89', async () => (await rig.countOf(signal.id, { status: 'closed' })) === many);
    assert.equal(await rig.countOf(signal.id), many);
    assert.equal(rig.venue.orders.size, 2 * many);
    for (let n = 0; n < many; n++) assert.equal(rig.venue.held(`${partner} user ${n}`).sign, 0);
  });

  it('leaves nothing bought when a signal is cancelled 5 ms after it was created', () => cancelling);

  it('places the order of a partner while another floods its subscribers, of whom none is left out', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine();
    const [flood, calm] = [newPartner(), newPartner()];
    await subscribers(flood, 50);
    await subscribers(calm, 1);
    const signals: string[] = [];
    for (let n = 0; n < 20; n++) signals.push((await rig.signal(flood)).id);
    const { id } = await rig.signal(calm);
    await executions(id, 1, { status: 'open' });
    const undelivered = async () =>
      (await temporary.storage.signals.ofIds(signals)).filter(({ delivery }) => !delivery.isDone).length;
    const left = await undelivered();
    assert.ok(left >= 5, `${left} of 20 signals were still to be delivered`);
    await until('the end', async () => (await undelivered()) === 0);
    assert.deepEqual(
      await Promise.all(signals.map((signalId) => rig.countOf(signalId, {}))),
      signals.map(() => 50),
    );
  });

  it('applies a command that comes during the delivery once to each execution', async () => {
    rig = await EngineRig.open(temporary, '105');
    await rig.startEngine();
    const partner = newPartner();
    await subscribers(partner, many);
    const signal = await rig.signal(partner);
    await until('the first', async () => (await rig.countOf(signal.id)) > 0);
    await rig.command(signal, { type: 'dca', id: 'dca-1', price: '95', multiplier: '1' });
    const all = await executions(signal.id, many, { commandsDone: 1 });
    for (const { state } of all)
      assert.deepEqual(
        state!.entries.map(({ id }) => id),
        ['entry-1', 'dca-1'],
      );
  });
});
