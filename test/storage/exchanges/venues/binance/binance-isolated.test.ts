import assert from 'node:assert/strict';
import { isolatedMargin } from '../../../../support/venues/isolated-margin.js';

/** Besides what `isolated-margin.test.ts` shows of all exchanges. */
describe('isolated margin on Binance alone', function () {
  this.timeout(60_000);
  const margin = isolatedMargin('binance');

  it('closes a position with a stop order that stands there', async () => {
    const userId = await margin.user();
    await margin.rig.accepted(margin.order(userId, { type: 'market' }));
    const stop = margin.order(userId, {
      ...{ type: 'stop', side: 'sell', stopPrice: '58000' },
      ...{ quantity: '0.00999', reduces: true },
    });
    await margin.rig.accepted(stop);
    await margin.rig.price('57000');
    const [found] = await margin.rig.venue.find([stop]);
    assert.ok(found && 'status' in found && found.status === 'filled', JSON.stringify(found));
    assert.deepEqual(await margin.rig.venue.positions(userId), []);
  });
});
