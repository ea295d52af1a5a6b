import assert from 'node:assert/strict';
import type { UpdateFilter } from 'mongodb';
import { wakeUnserved } from '../../../jobs/signals/unserved-executions.js';
import type { ExecutionDocument } from '../../../storage/signals/executions.js';
import type { SignalDocument } from '../../../storage/signals/signals.js';
import { dueNever, mostFaults } from '../../../storage/signals/step-fault.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';

describe('steps that fail for good', function () {
  this.timeout(60_000);
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let worker: HandWorker;
  beforeEach(async () => {
    rig = await EngineRig.open(temporary, '105');
    worker = new HandWorker(rig);
  });
  afterEach(() => rig.close());

  let partnerId: string;
  let partners = 0;
  beforeEach(() => (partnerId = `partner ${++partners}`));
  const follow = (user: string) => rig.subscribe(`channel of ${partnerId}`, user);
  const changeExecution = (id: string, change: UpdateFilter<ExecutionDocument>) =>
    temporary.db.collection<ExecutionDocument>('executions').updateOne({ _id: id }, change);
  const changeSignal = (id: string, change: UpdateFilter<SignalDocument>) =>
    temporary.db.collection<SignalDocument>('signals').updateOne({ _id: id }, change);
  const statuses = (all: readonly StoredExecution[]) => all.map(({ userId, status }) => [userId, status]);

  /** Delivers a signal to these users and advances them as often as asked. */
  const delivered = async (users: readonly string[]) => {
    for (const user of users) await follow(user);
    const signal = await rig.signal(partnerId);
    while (await worker.deliver(partnerId));
    return signal;
  };
  const advanceAll = async (signalId: string) => {
    for (const execution of await rig.executionsOf(signalId)) while (await worker.advance(execution));
  };

  it('leave one execution to the operator, and keep no other of its slot waiting', async () => {
    const users = Array.from({ length: 12 }, (_, n) => `user ${n}`);
    const signal = await delivered(users);
    const { id } = (await rig.executionsOf(signal.id))[5];
    await changeExecution(id, { $set: { 'orders.0.quantity': 'not a number' } });
    await advanceAll(signal.id);
    const wanted = (of: string) => users.map((user, n) => [user, n === 5 ? of : 'open']);
    const all = await rig.executionsOf(signal.id);
    assert.deepEqual(statuses(all), wanted('entry_pending'));
    assert.equal(all[5].fault?.count, 1);
    assert.ok(all[5].dueAt! > all[5].fault.at);
    for (let n = 1; n < mostFaults; n++) {
      assert.deepEqual(await rig.storage.executions.faulty(10), []);
      await changeExecution(id, { $set: { dueAt: new Date() } });
      await advanceAll(signal.id);
    }
    const [left] = await rig.storage.executions.faulty(10);
    assert.deepEqual([left.id, left.dueAt, left.fault?.count], [id, dueNever, mostFaults]);
    assert.match(left.fault!.message, /not a number/);
    assert.deepEqual(left.events.at(-1)!.type, 'unserved');
    assert.equal(rig.venue.orders.size, 11);

    await changeExecution(id, { $set: { 'orders.0.quantity': '1' } });
    assert.equal(await rig.storage.executions.retry(id, Date.now()), true);
    assert.equal(await rig.storage.executions.retry('unknown', Date.now()), false);
    await advanceAll(signal.id);
    const mended = await rig.executionsOf(signal.id);
    assert.deepEqual(statuses(mended), wanted('open'));
    assert.equal(mended[5].fault, null);
    assert.deepEqual(await rig.storage.executions.faulty(10), []);
  });

  it('never leave an execution whose exchange is traded on no more: it waits, and its owner and the operator are told', async () => {
    const email = 'unserved@example.com';
    const { id: userId } = await rig.storage.users.add({ email, passwordHash: null, plan: 'free' });
    const signal = await delivered([userId, 'beside']);
    const [{ id }] = await rig.executionsOf(signal.id);
    await changeExecution(id, { $set: { exchange: 'BINANCE', dueAt: null } });
    const said: string[] = [];
    const log = { error: (text: unknown) => void said.push(String(text)) };
    await wakeUnserved(rig.storage.executions, new Map([['PAPER', rig.venue]]), log);
    assert.match(said.join(), /^EXECUTIONS ARE OPEN AND NOT SERVED: 1 on BINANCE; set LIVE_TRADING=on/);
    for (let n = 0; n <= mostFaults; n++) {
      await advanceAll(signal.id);
      await changeExecution(id, { $set: { dueAt: new Date() } });
    }
    const [left, beside] = await rig.executionsOf(signal.id);
    assert.deepEqual([left.status, left.fault, beside.status], ['entry_pending', null, 'open']);
    const lines = left.events.filter(({ type }) => type === 'unserved');
    assert.match(
      lines.map(({ cause }) => cause).join(),
      /^the operator has turned trading on BINANCE off: no/,
    );
    assert.equal(lines.length, 1);
    const mail = await rig.storage.mails.takeDue(Date.now(), 600_000);
    assert.deepEqual([mail?.kind, mail?.email], ['unserved', email]);
    await changeExecution(id, { $set: { exchange: 'PAPER' } });
    await advanceAll(signal.id);
    assert.deepEqual(statuses(await rig.executionsOf(signal.id))[0], [userId, 'open']);
  });

  it('leave out a document that cannot be read, and go on with the others', async () => {
    const signal = await delivered(['first', 'second', 'third']);
    const [{ id }] = await rig.executionsOf(signal.id);
    await changeExecution(id, { $set: { 'state.entries': 'broken' } });
    await advanceAll(signal.id);
    assert.deepEqual(statuses(await rig.executionsOf(signal.id)).slice(1), [
      ['second', 'open'],
      ['third', 'open'],
    ]);
    assert.equal((await rig.executionsOf(signal.id))[0].fault?.count, 1);
  });

  it('leave out a subscriber who cannot be planned, and say so', async () => {
    const { id } = await follow('poison');
    const subscriptions = temporary.db.collection<{ _id: string }>('subscriptions');
    await subscriptions.updateOne({ _id: id }, { $set: { maxExposure: 'much' } });
    const signal = await delivered(['beside']);
    const [poison, beside] = await rig.executionsOf(signal.id);
    assert.deepEqual(
      [poison.status, poison.reason, poison.endedAt !== null],
      ['skipped', 'the service failed to plan it', true],
    );
    assert.equal(beside.orders.length, 1);
  });

  it('leave a delivery to the operator, and keep no other signal of its partner waiting', async () => {
    await follow('user');
    const [poison, good] = [await rig.signal(partnerId), await rig.signal(partnerId)];
    await changeSignal(poison.id, { $unset: { terms: '' } });
    const stored = async () => (await rig.storage.signals.ofIds([poison.id]))[0];
    for (let n = 1; n <= mostFaults; n++) {
      assert.deepEqual(await rig.storage.signals.faulty(10), []);
      await changeSignal(poison.id, { $set: { dueAt: new Date(1) } });
      while (await worker.deliver(partnerId));
      assert.equal((await stored()).fault?.count, n);
      assert.equal((await rig.executionsOf(good.id)).length, 1);
    }
    const [left] = await rig.storage.signals.faulty(10);
    assert.deepEqual([left.id, left.dueAt, left.fault?.count], [poison.id, dueNever, mostFaults]);

    await changeSignal(poison.id, { $set: { terms: poison.terms } });
    assert.equal(await rig.storage.signals.retry(poison.id, Date.now()), true);
    assert.equal(await rig.storage.signals.retry('unknown', Date.now()), false);
    while (await worker.deliver(partnerId));
    assert.equal((await rig.executionsOf(poison.id)).length, 1);
    assert.deepEqual([(await stored()).fault, (await stored()).delivery.isDone], [null, true]);
  });
});
