import assert from 'node:assert/strict';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('entries of a signal whose prices are reached at once', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  before(async () => {
    rig = await EngineRig.open(temporary, '105');
  });
  after(() => rig.close());

  it('are placed one after the other, each once the stop of what was bought before stands', async () => {
    const { id: subscriptionId } = await rig.subscribe('channel of splitter', 'user', {
      stopOnExchange: true,
    });
    const placed: string[] = [];
    const venue = rig.venue.seenAs({
      lateMs: 7_000,
      place: (orders) => {
        placed.push(...orders.map(({ side, type }) => `${side} ${type}`));
        return rig.venue.place(orders);
      },
    });
    const entries = (['max', 'mid', 'min'] as const).map((level, n) => {
      const [price, percent] = [String(110 - n), n === 0 ? '40' : '30'];
      return { level, type: 'limit' as const, price, zoneEnd: null, percent };
    });
    await rig.signal('splitter', { entryMode: 'split', entries, targets: ['200'], stopLoss: '90' });
    const worker = new HandWorker(rig);
    await worker.deliver('splitter', venue);
    await worker.advance({ partnerId: 'splitter', subscriptionId }, venue);
    const pair = ['buy limit', 'sell stop'];
    assert.deepEqual(placed, [...pair, ...pair, ...pair]);
    assert.equal((await rig.venue.openOrders('user')).length, 1);
  });
});
