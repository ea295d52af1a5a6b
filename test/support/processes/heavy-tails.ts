import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';
import { tailWeight } from './tail-weight.js';

/** The largest simple return, in usual deviations: without it the mean of the price would be infinite. */
export const furthest = 30;

/** Independent simple returns of Student's distribution with three degrees of freedom, of no fourth moment; the price is a martingale. */
export const heavyTails: MarketProcess = {
  name: 'heavy tails',
  isIndependent: true,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const deviation = usualDeviation[interval];
    const step = () => {
      const size = normalDraw(random) * tailWeight(random);
      const bounded = Math.max(-furthest, Math.min(furthest, size));
      return { logReturn: Math.log1p(deviation * bounded), deviation };
    };
    return [candlesOfReturns(count, interval, random, step)];
  },
};
