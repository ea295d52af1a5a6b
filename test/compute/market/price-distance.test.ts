import assert from 'node:assert/strict';
import { measurePriceDistance } from '../../../compute/market/price-distance.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { flatCandles } from '../../support/candles/odd-candles.js';

describe('measurePriceDistance', () => {
  const candles = demoCandles('BTC_USDT', '4h');
  const measure = (of = candles, period = 20) =>
    measurePriceDistance({ candles: of, interval: '4h', params: { period } });

  it('finds the high and the low of the last candles, and the distance of the close from them', () => {
    const { high, low, price } = measure();
    assert.equal(high.price, [...candles.high.slice(-20)].sort((a, b) => b - a)[0]);
    assert.equal(low.price, [...candles.low.slice(-20)].sort((a, b) => a - b)[0]);
    assert.equal(candles.high[candles.time.indexOf(high.time)], high.price);
    assert.equal(high.percent, (price / high.price - 1) * 100);
    assert.ok(high.atr! <= 0 && low.atr! >= 0);
  });

  it('has no distance in ATR while the price does not move', () => {
    const { high, low } = measure(flatCandles(50));
    assert.deepEqual([high.percent, high.atr, low.percent, low.atr], [0, null, 0, null]);
  });

  it('needs the candles of the period and those of the ATR', () => {
    assert.throws(() => measure(flatCandles(14), 2), { code: 'not_enough_history' });
    assert.throws(() => measure(flatCandles(50), 51), { code: 'not_enough_history' });
  });
});
