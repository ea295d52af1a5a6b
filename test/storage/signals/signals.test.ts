import assert from 'node:assert/strict';
import type { Db, Document } from 'mongodb';
import { ChannelRepository } from '../../../storage/signals/channels.js';
import { isDueBy } from '../../../storage/signals/due-condition.js';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';
import { SignalRepository } from '../../../storage/signals/signals.js';
import { SubscriptionRepository } from '../../../storage/signals/subscriptions.js';
import { newSubscription } from '../../support/signals/new-subscription.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { newSignal, signalTerms } from '../../support/signals/signal-terms.js';

/** A database whose driver sends each insert twice, as after a connection that broke before the answer. */
const sendingInsertsTwice = (db: Db): Db =>
  new Proxy(db, {
    get: (target, name: keyof Db) =>
      name === 'collection'
        ? (...given: Parameters<Db['collection']>) => {
            const collection = target.collection(...given);
            const insertOne = collection.insertOne.bind(collection);
            collection.insertOne = async (document) => {
              await insertOne(document);
              return insertOne(document);
            };
            return collection;
          }
        : target[name],
  });

describe('SignalRepository', () => {
  const context = temporaryStorage();
  const signals = () => context.storage.signals;
  const added = async (partnerId: string, now?: number): Promise<PartnerSignal> => {
    const signal = await signals().add(newSignal(partnerId), now);
    assert.ok(typeof signal === 'object');
    return signal;
  };

  it('stores a signal that is due for delivery in the same write', async () => {
    const at = new Date('2026-01-01');
    const signal = await added('alpha', at.getTime());
    assert.deepEqual(signal, {
      id: signal.id,
      partnerId: 'alpha',
      channelId: 'channel of alpha',
      createdAt: at,
      terms: signalTerms,
      commands: [],
      status: 'active',
      events: [{ at, type: 'created', cause: 'the partner created the signal' }],
      delivery: { after: null, isDone: false, delivered: 0 },
      idempotency: null,
      dueAt: at,
      fault: null,
      revision: 0,
    });
    assert.deepEqual(await signals().find('alpha', signal.id), signal);
    assert.equal(await signals().find('beta', signal.id), null);
    assert.deepEqual(await signals().due(at.getTime(), 10, 'alpha'), [signal]);
    assert.deepEqual(await signals().due(at.getTime() - 1, 10, 'alpha'), []);
    assert.deepEqual(await signals().duePartners(at.getTime()), ['alpha']);
  });

  it('stores one signal when an insert is sent again that was stored', async () => {
    const { storage, db } = context;
    const again = new SignalRepository(sendingInsertsTwice(db));
    const signal = await again.add(newSignal('twice'));
    assert.ok(typeof signal === 'object');
    assert.deepEqual((await signals().list({ partnerId: 'twice', limit: 10 })).signals, [signal]);
    const channels = new ChannelRepository(sendingInsertsTwice(db));
    const channel = await channels.add({ partnerId: 'twice', name: 'Majors' });
    assert.deepEqual(await storage.channels.find(channel.id), channel);
    await assert.rejects(
      channels.add({ partnerId: 'twice', name: 'Majors' }),
      /has a channel "Majors" already/,
    );
    const subscriptions = new SubscriptionRepository(sendingInsertsTwice(db));
    const added = await subscriptions.add(newSubscription('twice', channel.id));
    assert.deepEqual(await storage.subscriptions.ofUser('twice'), [added]);
  });

  it('stores one signal for equal requests with a key, however many come at once', async () => {
    const idempotency = { key: 'k', bodyHash: 'h' };
    const repositories = [signals(), context.another().signals];
    const asked = Array.from({ length: 20 }, (_, n) =>
      repositories[n % 2].add(newSignal('gamma', { idempotency })),
    );
    const ids = (await Promise.all(asked)).map((each) => (each === 'key_reused' ? each : each.id));
    assert.equal(new Set(ids).size, 1);
    assert.equal((await signals().list({ partnerId: 'gamma', limit: 10 })).signals.length, 1);
  });

  it('refuses a key that was used for something else, and keeps keys of partners apart', async () => {
    const first = newSignal('delta', { idempotency: { key: 'k', bodyHash: 'h' } });
    await signals().add(first);
    const other = { ...first, idempotency: { key: 'k', bodyHash: 'other' } };
    assert.equal(await signals().add(other), 'key_reused');
    assert.equal(typeof (await signals().add({ ...other, partnerId: 'epsilon' })), 'object');
  });

  it('forgets a key after 24 h', async () => {
    const now = Date.UTC(2026, 0, 1);
    const one = newSignal('zeta', { idempotency: { key: 'k', bodyHash: 'h' } });
    const other = { ...one, idempotency: { key: 'k', bodyHash: 'other' } };
    const dayMs = 86_400_000;
    await signals().add(one, now);
    assert.equal(await signals().add(other, now + dayMs - 1), 'key_reused');
    const repositories = [signals(), context.another().signals];
    const asked = Array.from({ length: 10 }, (_, n) => repositories[n % 2].add(other, now + dayMs));
    const later = (await Promise.all(asked)).map((each) => (each === 'key_reused' ? each : each.id));
    assert.equal(new Set(later).size, 1);
    assert.notEqual(later[0], 'key_reused');
  });

  it('adds commands in the order in which they come, each on top of those it was checked against', async () => {
    const signal = await added('eta');
    const asked = Array.from({ length: 8 }, (_, n) =>
      signals().command(signal, { type: 'dca', id: `dca-${n}`, price: '80', multiplier: '1' }, 'more'),
    );
    const stored = (await Promise.all(asked)).filter(Boolean);
    assert.equal(stored.length, 1);
    const now = (await signals().find('eta', signal.id))!;
    assert.deepEqual([now.commands.length, now.events.length, now.revision], [1, 2, 1]);
    assert.equal(await signals().command({ ...now, partnerId: 'theta' }, { type: 'cancel' }, 'end'), false);
    assert.equal(await signals().command(now, { type: 'cancel' }, 'end'), true);
    const cancelled = (await signals().find('eta', signal.id))!;
    assert.equal(cancelled.status, 'cancelled');
    assert.equal(await signals().command(cancelled, { type: 'cancel' }, 'end'), false);
  });

  it('makes a signal due again with a command, whatever delivery does meanwhile', async () => {
    const signal = await added('iota');
    const done = { after: 'x', isDone: true, delivered: 1 };
    assert.equal(await signals().command(signal, { type: 'cancel' }, 'end'), true);
    assert.equal(await signals().advance(signal, done, null), false);
    const now = (await signals().find('iota', signal.id))!;
    assert.notEqual(now.dueAt, null);
    assert.equal(await signals().advance(now, done, null), true);
    const later = (await signals().find('iota', signal.id))!;
    assert.deepEqual([later.delivery, later.dueAt, later.revision], [done, null, 2]);
  });

  it('lists the newest first, page by page, of one partner', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await added('kappa')).id);
    const first = await signals().list({ partnerId: 'kappa', limit: 3 });
    const second = await signals().list({ partnerId: 'kappa', limit: 3, after: first.next! });
    assert.deepEqual(
      [...first.signals, ...second.signals].map(({ id }) => id),
      ids,
    );
    assert.equal(second.next, null);
  });

  for (const [what, collection, filter, sort, index] of [
    ['due signals of a partner', 'signals', { partnerId: 'a' }, { dueAt: 1 }, 'partnerId_1_dueAt_1'],
    ['all due signals', 'signals', {}, { dueAt: 1 }, 'dueAt_1_partnerId_1'],
    [
      'due executions of a slot',
      'executions',
      { partnerId: 'a', slot: 0 },
      { dueAt: 1 },
      'partnerId_1_slot_1_dueAt_1',
    ],
    ['all due executions', 'executions', {}, { dueAt: 1 }, 'dueAt_1_partnerId_1'],
  ] as const)
    it(`finds ${what} by an index on what is due`, async () => {
      const due = { dueAt: isDueBy(Date.now()) };
      const plan = await context.db
        .collection(collection)
        .find({ ...filter, ...due })
        .sort(sort)
        .explain();
      assert.equal(indexOf((plan as { queryPlanner: Document }).queryPlanner.winningPlan as Document), index);
    });
});

/** The index of a plan; undefined without one. */
function indexOf(plan: Document): string | undefined {
  if (typeof plan.indexName === 'string') return plan.indexName;
  const inner = (plan.inputStage ?? plan.queryPlan) as Document | undefined;
  return inner && indexOf(inner);
}
