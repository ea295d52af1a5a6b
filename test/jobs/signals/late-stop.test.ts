import assert from 'node:assert/strict';
import type { VenueOrder } from '../../../storage/exchanges/trading-venue.js';
import type { SignalCommandEvent } from '../../../storage/signals/partner-signal.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const lateMs = 7_000;

const withoutOld = (order: VenueOrder): VenueOrder => {
  const { replaces, ...rest } = order;
  assert.ok(replaces);
  return rest;
};

describe('a stop whose request has had no answer', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let worker: HandWorker;
  before(async () => {
    rig = await EngineRig.open(temporary, '105');
    rig.venue.isForgetful = true;
    worker = new HandWorker(rig);
  });
  after(() => rig.close());

  /** Follows a signal of a partner, whose moved stop is lost on its way until its position is sold. */
  async function sellBeside(partnerId: string) {
    const email = `${partnerId.replace(' ', '-')}@example.com`;
    const { id: userId } = await rig.storage.users.add({ email, passwordHash: null, plan: 'free' });
    const followed = { stopOnExchange: true };
    const { id: subscriptionId } = await rig.subscribe(`channel of ${partnerId}`, userId, followed);
    const follower = { partnerId, subscriptionId };
    const lost: VenueOrder[] = [];
    const venue = rig.venue.seenAs({
      lateMs,
      place: (orders) =>
        Promise.all(
          orders.map(async (order) => {
            if (!order.replaces) return (await rig.venue.place([order]))[0];
            lost.push(order);
            return { unknown: 'the connection was closed' };
          }),
        ),
    });
    const signal = await rig.signal(partnerId);
    const execution = async () => (await rig.executionsOf(signal.id))[0];
    const command = async (event: SignalCommandEvent) => {
      await rig.command(signal, event);
      await worker.deliver(partnerId, venue);
      await worker.advance(follower, venue);
    };
    await worker.deliver(partnerId, venue);
    await worker.advance(follower, venue);
    const [standing] = await rig.venue.openOrders(userId);
    assert.equal(rig.venue.held(userId).sign, 1);

    // The new stop is lost on its way, with the cancel of the old one, for which it stands.
    await command({ type: 'trailing_stop', stop: { trigger: '95', limit: '95' } });
    assert.deepEqual(
      lost.map(({ replaces }) => replaces!.clientOrderId),
      [standing.clientOrderId],
    );
    await command({ type: 'cancel' });
    // The new one may arrive and sell: until it counts as absent the old one stays.
    assert.equal(rig.venue.held(userId).sign, 1);
    assert.equal((await rig.venue.openOrders(userId)).length, 1);
    const asked = await execution();
    assert.ok(asked.dueAt!.getTime() <= asked.orders.at(-1)!.sentAt!.getTime() + 2_000);
    await rig.age(signal.id, 2_000);
    await worker.advance(follower, venue);
    assert.equal(rig.venue.held(userId).sign, 0);
    const sold = await execution();
    assert.deepEqual([sold.status, sold.endedAt], ['cancelled', null]);
    /** What has become of it after the lost stop has arrived at a price. */
    return async (price: string) => {
      await rig.venue.place(lost.map(withoutOld));
      assert.equal((await rig.venue.openOrders(userId)).length, 1);
      await rig.trade(price);
      await rig.age(signal.id, sold.dueAt!.getTime() - Date.now());
      await worker.advance(follower, venue);
      assert.deepEqual(await rig.venue.openOrders(userId), []);
      return execution();
    };
  }

  it('holds up the sale of its position for two seconds, and is cancelled if it arrives after the sale', async () => {
    const { status, dueAt, endedAt } = await (await sellBeside('late'))('105');
    assert.deepEqual([status, dueAt], ['cancelled', null]);
    assert.ok(endedAt);
  });

  it('is told with a mail where it is filled before it can be cancelled', async () => {
    const arrive = await sellBeside('too late');
    assert.equal(await rig.storage.mails.takeDue(Date.now(), 600_000), null);
    const { status, endedAt, events } = await arrive('90');
    assert.equal(status, 'cancelled');
    assert.ok(endedAt);
    const line = events.find(({ type }) => type === 'oversold')!;
    assert.match(line.cause, /reached the exchange late sold more than was left/);
    assert.ok(Number(line.figures.quantity) > 0);
    assert.equal((await rig.storage.mails.takeDue(Date.now(), 600_000))?.kind, 'oversold');
  });
});
