import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';

/** Independent returns, half of which are 0, as on a pair that is seldom traded. */
export const stillHalf: MarketProcess = {
  name: 'still half of the time',
  isIndependent: true,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const deviation = usualDeviation[interval];
    const step = () => {
      const moved = deviation * normalDraw(random) - deviation ** 2 / 2;
      return { logReturn: random.unit() < 0.5 ? 0 : moved, deviation };
    };
    return [candlesOfReturns(count, interval, random, step)];
  },
};
