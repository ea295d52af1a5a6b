import { priceRounding } from '../model/price-rounding.js';
import { computeIndicator } from '../model/indicator.js';
import { bollinger } from '../indicators/bollinger.js';
import { defineStrategy, target } from '../model/strategy.js';

/** Buys on a close below the lower band, sells on a close above the middle. */
export const bollingerReversion = defineStrategy({
  name: 'bollinger_reversion',
  title: 'Bollinger reversion',
  rule: 'Buy on a close below the lower band, sell on one above the middle.',
  params: {
    period: { min: 2, max: 200, default: 20, title: 'Period of the bands in candles' },
    width: { min: 0.5, max: 5, default: 2, step: 0.1, title: 'Standard deviations from middle to band' },
  },
  ready: ({ period }) => period - 1,
  fill(candles, { period, width }, targets, scratch) {
    const { close } = candles;
    const { middle, lower } = computeIndicator(bollinger, candles, { period, width }, scratch);
    // While the price does not move, the bands differ from it only by rounding.
    for (let i = period - 1; i < close.length; i++) {
      const rounding = priceRounding(close[i]);
      const isBelow = close[i] < lower[i] - rounding;
      targets[i] = isBelow ? target.long : close[i] > middle[i] + rounding ? target.flat : target.keep;
    }
  },
});
