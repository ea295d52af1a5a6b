import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';

/** Independent normal log returns; the price is a martingale. */
export const independentReturns: MarketProcess = {
  name: 'independent',
  isIndependent: true,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const deviation = usualDeviation[interval];
    const step = () => ({ logReturn: deviation * normalDraw(random) - deviation ** 2 / 2, deviation });
    return [candlesOfReturns(count, interval, random, step)];
  },
};
