import assert from 'node:assert/strict';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';
import { until } from '../../support/process/until.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

/** A position that was bought at 105, on whose stop commands and prices come in one order or the other. */
describe('commands and the prices before and after them', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let worker: HandWorker;
  let signal: PartnerSignal;
  let bought = 0;
  before(async () => {
    rig = await EngineRig.open(temporary, '105');
  });
  after(() => rig.close());

  const execution = async (): Promise<StoredExecution> => (await rig.executionsOf(signal.id))[0];
  const advance = async () => {
    await until('nothing is due', async () => {
      await worker.advance(await execution());
      const { dueAt, orders } = await execution();
      return (!dueAt || dueAt.getTime() > Date.now()) && orders.every(({ status }) => status !== 'sent');
    });
    return execution();
  };
  /** A price that came a time ago has crossed a level, with the range since then. */
  const cross = async (price: string, { low = price, agoMs = 0, spanMs = 0 } = {}) => {
    const atMs = Date.now() - agoMs;
    const times = { since: new Date(atMs - spanMs), at: new Date(atMs) };
    await rig.storage.executions.cross(
      [(await execution()).id],
      { price, high: price, low, ...times },
      Date.now(),
    );
  };
  const tell = async (trigger: string) => {
    await rig.command(signal, { type: 'trailing_stop', stop: { trigger, limit: trigger } });
    await worker.deliver(signal.partnerId);
  };
  const types = ({ events }: StoredExecution) => events.map(({ type }) => type);

  beforeEach(async () => {
    worker = new HandWorker(rig);
    const partnerId = `partner ${++bought}`;
    await rig.subscribe(`channel of ${partnerId}`, `user ${bought}`, { stopOnExchange: true });
    signal = await rig.signal(partnerId);
    await worker.deliver(partnerId);
    assert.equal((await advance()).status, 'open');
  });

  afterEach(async () => {
    await rig.command(signal, { type: 'cancel' });
    await worker.deliver(signal.partnerId);
    await advance();
  });

  it('a stop is not fired by a price from before the command, also one that is told after it', async () => {
    await tell('104');
    const { state, watched } = await advance();
    assert.equal(state!.stop!.trigger, '104');
    assert.ok(watched!.setMs! > 0);
    await cross('103', { agoMs: 60_000 });
    assert.equal((await advance()).status, 'open');
    await cross('104.5', { low: '103', spanMs: 60_000 });
    assert.equal((await advance()).status, 'open');
    await cross('104');
    assert.equal((await advance()).status, 'closing');
  });

  it('a price that crossed the old stop before the command sells', async () => {
    await cross('89', { agoMs: 500 });
    await tell('80');
    assert.equal((await advance()).status, 'closing');
  });

  it('a command waits for a price that is at most 2 s old, and a cancel does not', async () => {
    worker.priceAgeMs = 5_000;
    await tell('104');
    const waiting = await advance();
    assert.deepEqual(
      [waiting.commandsDone, waiting.watched!.everyTick, waiting.state!.stop!.trigger],
      [0, true, '90'],
    );
    await cross('106');
    const judged = await advance();
    assert.deepEqual([judged.commandsDone, judged.state!.stop!.trigger], [1, '104']);
    assert.equal(judged.watched!.everyTick, false);
    await rig.command(signal, { type: 'cancel' });
    await worker.deliver(signal.partnerId);
    assert.equal((await advance()).status, 'cancelled');
  });

  it('a price of a market whose clock is a minute ahead is not taken for a fresh one', async () => {
    worker.priceAgeMs = -60_000;
    await tell('104');
    assert.equal((await advance()).commandsDone, 0);
  });

  it('the orders of a position are looked up as urgently as what protects it', async () => {
    const urgencies = new Set<string | undefined>();
    const venue = rig.venue.seenAs({
      find(refs, urgency) {
        urgencies.add(urgency);
        return rig.venue.find(refs);
      },
    });
    await tell('95');
    await worker.advance(await execution(), venue);
    assert.deepEqual([...urgencies], ['protect']);
  });

  it('a purchase whose limits cannot be read within a second is left for later, and the position is looked after', async () => {
    await rig.command(signal, { type: 'dca', id: 'dca-1', price: '100', multiplier: '1' });
    await worker.deliver(signal.partnerId);
    await advance();
    await cross('100');
    const silent = rig.venue.seenAs({ freeBalances: () => new Promise<never>(() => undefined) });
    await worker.advance(await execution(), silent);
    const [dca] = (await execution()).orders.filter(({ leg }) => leg === 'dca-1');
    assert.deepEqual([dca.status, dca.reason?.includes('cannot be read')], ['planned', true]);
  });

  it('a stop that the present price has passed is refused although the last price that was seen has not', async () => {
    worker.price = 101;
    await tell('103');
    const refused = await advance();
    assert.deepEqual([refused.status, refused.state!.stop!.trigger], ['open', '90']);
    assert.ok(types(refused).includes('command_refused'));
  });

  it('the stop at the exchange stands until its successor does, and a position without one is counted', async () => {
    assert.deepEqual(await rig.storage.executionReads.unprotectedSince(), []);
    const [old] = (await execution()).orders.filter(({ leg }) => leg === 'stop');
    const { venue } = rig;
    const stands = (id: string) => venue.orders.get(id)?.state.status === 'open';
    const place = venue.place.bind(venue);
    venue.place = () => Promise.resolve([{ postponed: 'too many requests' }]);
    await tell('104');
    const postponed = await advance();
    const successor = postponed.orders.at(-1)!;
    assert.deepEqual([successor.leg, successor.status, stands(old.clientOrderId)], ['stop', 'planned', true]);
    venue.place = () => {
      venue.place = place;
      return Promise.resolve([{ refused: 'too many stop orders' }]);
    };
    await until('the next try', async () => (await advance()).orders.length > postponed.orders.length);
    const [{ status }, next] = (await execution()).orders.slice(-2);
    assert.deepEqual([status, next.replaces?.clientOrderId], ['rejected', old.clientOrderId]);
    await until('the old one is cancelled', async () => (await advance()) && !stands(old.clientOrderId));
    assert.ok(stands(next.clientOrderId));
    assert.deepEqual(await rig.storage.executionReads.unprotectedSince(), []);
    // An order of stop and target in one that was filled in part at its target has no stop any more.
    const soldAt = new Date(Date.now() + 5_000);
    const { orders, state } = await execution();
    const selling = { status: 'partly_filled', fills: [{ at: soldAt }] };
    const changes = {
      orders: orders.map((each) =>
        each.clientOrderId === next.clientOrderId ? { ...each, ...selling } : each,
      ),
      'state.orders': state!.orders.map((each) => ({ ...each, isAtTarget: true })),
    };
    await temporary.db.collection('executions').updateOne({ signalId: signal.id }, { $set: changes });
    assert.deepEqual(await rig.storage.executionReads.unprotectedSince(), [soldAt]);
    await temporary.db.collection('executions').updateOne(
      { signalId: signal.id },
      { $set: { 'orders.$[each].status': 'cancelled' } },
      {
        arrayFilters: [{ 'each.leg': 'stop' }],
      },
    );
    assert.equal((await rig.storage.executionReads.unprotectedSince()).length, 1);
    assert.equal(await rig.storage.executionReads.countWatched(), 0);
    const byHand = { $set: { 'state.stopOnExchange': false } };
    await temporary.db.collection('executions').updateOne({ signalId: signal.id }, byHand);
    assert.deepEqual(await rig.storage.executionReads.unprotectedSince(), []);
    assert.equal(await rig.storage.executionReads.countWatched(), 1);
  });
});
