import assert from 'node:assert/strict';
import type { FaultRule } from '../../support/fake-exchange/fault-script.js';
import { keyOf } from '../../support/venues/live-rig.js';
import { isOpenWithStop, type LiveScene, temporaryScene } from '../../support/venues/live-scene.js';

const away: Pick<FaultRule, 'fault' | 'times'> = {
  fault: { kind: 'status', isDone: false, status: 503 },
  times: null,
};

describe('a signal that is delivered while its exchange does not answer', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  const context = temporaryScene(async (opened) => {
    scene = opened;
    await scene.live.price('59900');
    await scene.startEngine();
  });
  afterEach(() => scene.exchange.faults({ seed: 1, rules: [] }));

  /** The balance of the user cannot be read. */
  const accountAway = (userId: string) =>
    scene.exchange.faults({ seed: 1, rules: [{ ...away, on: 'account', apiKey: keyOf(userId) }] });
  const types = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);

  it('is followed once the balance can be read, and says so', async () => {
    const { isSo } = await scene.follow({ before: accountAway });
    const waiting = await isSo('it is postponed', ({ events }) => events.length > 0);
    assert.deepEqual(
      [waiting.status, waiting.endedAt, waiting.state, types(waiting)],
      ['queued', null, null, ['postponed']],
    );
    assert.match(
      waiting.events[0].cause,
      /^the balance on BINANCE cannot be read now: .*; it is asked again$/,
    );
    assert.ok(waiting.dueAt!.getTime() > waiting.createdAt.getTime());
    await isSo('it was asked again', ({ revision }) => revision > 0);
    await scene.exchange.faults({ seed: 1, rules: [] });
    const opened = await isSo('it has bought', isOpenWithStop, '59900');
    assert.deepEqual(types(opened).slice(0, 2), ['postponed', 'resumed']);
    assert.deepEqual(opened.createdAt, waiting.createdAt);
  });

  it('expires with the time for its entry', async () => {
    const { isSo, userId, signal } = await scene.follow({ before: accountAway, terms: { ttlMs: 3_000 } });
    const ended = await isSo('it has ended', ({ endedAt }) => endedAt !== null);
    assert.equal(ended.status, 'expired');
    assert.match(
      ended.reason!,
      /^the time for the entry has ended: the balance on BINANCE cannot be read now/,
    );
    assert.deepEqual(types(ended), ['postponed', 'expired']);
    const late = ended.endedAt!.getTime() - signal.createdAt.getTime() - 3_000;
    // At its own time, not when the delivery is looked at again, after 25 s.
    assert.ok(late >= 0 && late < 20_000, String(late));
    assert.deepEqual(await scene.live.ledgerOrders(userId), []);
  });

  it('is skipped at once where the exchange refuses the key', async () => {
    const { isSo } = await scene.follow({
      before: async (userId) => void (await context.storage.connections.remove(userId, 'BINANCE')),
    });
    const ended = await isSo('it has ended', ({ endedAt }) => endedAt !== null);
    assert.deepEqual(
      [ended.status, ended.reason, ended.revision],
      ['skipped', 'BINANCE does not show the balance of SPOT to the key', 0],
    );
  });

  it('ends with a cancel, with the wish of its user, and with its subscription', async () => {
    const ends = [
      async ({ signal }: Follower) => scene.rig.command(signal, { type: 'cancel' }),
      async ({ userId }: Follower) => void (await context.storage.executionReads.wishClose({ userId })),
      async ({ userId, subscription }: Follower) =>
        void (await context.storage.subscriptions.remove(userId, subscription.id)),
    ];
    const found = [];
    for (const end of ends) {
      const follower = await scene.follow({ before: accountAway });
      await follower.isSo('it is postponed', ({ events }) => events.length > 0);
      await end(follower);
      const { status, reason, orders } = await follower.isSo(
        'it has ended',
        ({ endedAt }) => endedAt !== null,
      );
      found.push([status, reason, orders]);
    }
    assert.deepEqual(found, [
      ['cancelled', 'the partner cancelled the signal', []],
      ['closed', 'the user closed it', []],
      ['skipped', 'the subscription was removed', []],
    ]);
  });

  it('keeps no other subscriber waiting', async () => {
    const waiting = await scene.follow({ before: accountAway });
    const other = await scene.follow();
    await other.isSo('it has bought', isOpenWithStop, '59900');
    await waiting.isSo('it is still postponed', ({ status }) => status === 'queued');
  });
});

describe('a signal whose exchange has not told its pairs yet', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  temporaryScene(async (opened) => {
    scene = opened;
    await scene.live.price('59900');
    await scene.exchange.faults({ seed: 1, rules: [{ ...away, on: 'public' }] });
    await scene.startEngine();
  });

  it('is followed once it has', async () => {
    const { isSo } = await scene.follow();
    const waiting = await isSo('it is postponed', ({ events }) => events.length > 0);
    assert.match(waiting.events[0].cause, /^BINANCE cannot be traded on now: .*; it is asked again$/);
    await scene.exchange.faults({ seed: 1, rules: [] });
    await isSo('it has bought', isOpenWithStop, '59900');
  });
});

type Follower = Awaited<ReturnType<LiveScene['follow']>>;
