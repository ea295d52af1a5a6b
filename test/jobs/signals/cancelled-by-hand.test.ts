import assert from 'node:assert/strict';
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
