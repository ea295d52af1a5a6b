import assert from 'node:assert/strict';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { until } from '../../support/process/until.js';

describe('signal engine', function () {
  this.timeout(60_000);
  const temporary = temporaryStorage();
  let rig: EngineRig;
  afterEach(() => rig.close());

  const executionOf = async (signalId: string, subscriptionId: string) =>
    (await temporary.storage.executions.ofIds([`${signalId}:${subscriptionId}`])).at(0);

  it('brings a signal to a subscriber, buys, sells at its targets, and closes', async () => {
    rig = await EngineRig.open(temporary.storage, '105');
    await rig.startEngine();
    const subscription = await rig.subscribe('channel of one', 'user one');
    const signal = await rig.signal('one');
    const inState = (status: string) =>
      until(status, async () => {
        const found = await executionOf(signal.id, subscription.id);
        return found?.status === status && found;
      });
    const open = await inState('open');
    assert.equal(open.orders[0].status, 'filled');
    await until('the watch', async () => {
      await rig.tick('121');
      return (await executionOf(signal.id, subscription.id))!.orders.some(
        ({ leg, status }) => leg === 'target-1' && status === 'filled',
      );
    });
    await rig.tick('131');
    const closed = await inState('closed');
    assert.deepEqual(
      closed.orders.map(({ leg, side, status, price }) => [leg, side, status, price]),
      [
        ['entry-1', 'buy', 'filled', '110'],
        ['target-1', 'sell', 'filled', '120'],
        ['target-2', 'sell', 'filled', '130'],
      ],
    );
    assert.equal(rig.venue.held('user one').sign, 0);
    assert.equal(closed.reason, 'everything is sold');
    assert.equal(closed.dueAt, null);
    assert.equal(rig.venue.asked.length, 3);
  });
});
