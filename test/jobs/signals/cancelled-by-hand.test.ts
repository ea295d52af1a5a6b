import assert from 'node:assert/strict';
import { toldRefusals } from '../../../compute/signals/on-order.js';
import { DueList } from '../../../jobs/durable/due-list.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('a stop order that its owner cancels at the exchange', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  before(async () => {
    rig = await EngineRig.open(temporary, '105');
  });
  after(() => rig.close());

  it('is not placed again, which its owner is told by one mail, and its price is watched', async () => {
    const { storage, redis, venue } = rig;
    const worker = new HandWorker(rig);
    const user = await storage.users.add({ email: 'owner@example.com', passwordHash: null, plan: 'free' });
    const { id } = await rig.subscribe('channel of by hand', user.id, { stopOnExchange: true });
    const signal = await rig.signal('by hand');
    const state = async () => (await rig.executionsOf(signal.id))[0];
    const advance = async () => {
      await storage.executionReads.wakeOpen({ userId: user.id });
      await new DueList(redis).add([await state()]);
      await worker.advance({ partnerId: 'by hand', subscriptionId: id });
    };
    const mail = async () => {
      const due = await storage.mails.takeDue(Date.now(), 600_000);
      return due && [due.kind, due.email];
    };
    await worker.deliver('by hand');
    await advance();
    await worker.opened.close();
    const stop = (await state()).orders.find(({ leg }) => leg === 'stop')!;
    assert.deepEqual([stop.status, await mail()], ['open', null]);
    await venue.cancel([{ userId: user.id, pair: { base: 'BTC', quote: 'USDT' }, account: 'SPOT', ...stop }]);
    await advance();
    await advance();
    const { status, orders, watched, events } = await state();
    assert.equal(status, 'open');
    assert.deepEqual(
      orders.filter(({ leg }) => leg === 'stop').map((each) => each.status),
      ['cancelled'],
    );
    assert.equal(watched?.worse, '90');
    assert.equal(events.filter(({ type }) => type === 'cancelled_by_hand').length, 1);
    assert.deepEqual([await mail(), await mail()], [['cancelled', 'owner@example.com'], null]);
  });
});

describe('a position that the exchange does not let be sold', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  before(async () => {
    rig = await EngineRig.open(temporary, '105');
  });
  after(() => rig.close());

  it('is told to its owner by one mail, and sold once the exchange lets it', async () => {
    const { storage, venue } = rig;
    const worker = new HandWorker(rig);
    const user = await storage.users.add({ email: 'held@example.com', passwordHash: null, plan: 'free' });
    const { id } = await rig.subscribe('channel of held', user.id);
    const signal = await rig.signal('held');
    let isRefused = false;
    const place = venue.place.bind(venue);
    venue.place = async (orders) =>
      isRefused && orders[0]?.reduces ? orders.map(() => ({ refused: 'Market is closed.' })) : place(orders);
    /** Advances as if the pauses after refusals were over. */
    const advance = async () => {
      const due = { dueAt: new Date(), 'state.refusals.close.retryAt': Date.now() };
      const hasWaited = { userId: user.id, 'state.refusals.close': { $exists: true } };
      await temporary.db.collection('executions').updateMany(hasWaited, { $set: due });
      await storage.executionReads.wakeOpen({ userId: user.id });
      await worker.advance({ partnerId: 'held', subscriptionId: id });
    };
    const mails = async () => {
      const kinds: string[] = [];
      for (let due; (due = await storage.mails.takeDue(Date.now(), 600_000));) kinds.push(due.kind);
      return kinds;
    };
    const closeRefusals = async () => {
      const [{ events }] = await rig.executionsOf(signal.id);
      return events.filter(({ type }) => type === 'order_refused').length;
    };
    await worker.deliver('held');
    await advance();
    await worker.opened.close();
    isRefused = true;
    await storage.executionReads.wishClose({ userId: user.id });
    for (let n = 0; n < 20 && (await closeRefusals()) < toldRefusals - 1; n++) await advance();
    assert.deepEqual(await mails(), []);
    for (let n = 0; n < 10; n++) await advance();
    assert.ok((await closeRefusals()) > toldRefusals);
    assert.deepEqual(await mails(), ['unserved']);
    const [{ events }] = await rig.executionsOf(signal.id);
    const told = events.filter(({ type }) => type === 'close_refused');
    assert.deepEqual([told.length, told[0].cause.includes('Market is closed.')], [1, true]);
    isRefused = false;
    for (let n = 0; n < 3; n++) await advance();
    assert.equal((await rig.executionsOf(signal.id))[0].status, 'closed');
  });
});
