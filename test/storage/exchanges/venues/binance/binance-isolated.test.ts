import assert from 'node:assert/strict';
import { keyOf } from '../../../../support/venues/live-rig.js';
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

  it('tells trades by which the exchange has closed a position', async () => {
    const userId = await margin.user();
    await margin.rig.accepted(margin.order(userId, { type: 'market' }));
    await margin.exchange.apply({
      type: 'order',
      request: {
        ...{ account: keyOf(userId), kind: 'isolated', symbol: 'BTCUSDT', clientOrderId: 'autoclose-1' },
        ...{ side: 'SELL', type: 'MARKET', timeInForce: 'GTC', quantity: '0.005' },
      },
    });
    const fills = await margin.rig.venue.fillsSince(userId, margin.rig.pair, 'MARGIN', Date.now() - 60_000);
    assert.deepEqual(
      fills.map(({ quantity, isLiquidation = false }) => [String(quantity), isLiquidation]),
      [
        ['0.01', false],
        ['0.005', true],
      ],
    );
  });
});
