import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';

/** Share of candles with a jump, and its deviation as a multiple of the usual one. */
const [frequency, size] = [0.01, 5];

/** Independent returns, 1 in 100 of them with a jump: Merton's model, 1976. The price is a martingale. */
export const jumps: MarketProcess = {
  name: 'jumps',
  isIndependent: true,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const deviation = usualDeviation[interval];
    const jumpDeviation = size * deviation;
    const expectedGrowth = 1 - frequency + frequency * Math.exp(jumpDeviation ** 2 / 2);
    const drift = -(deviation ** 2) / 2 - Math.log(expectedGrowth);
    const step = () => {
      const jump = random.unit() < frequency ? jumpDeviation * normalDraw(random) : 0;
      return { logReturn: drift + deviation * normalDraw(random) + jump, deviation };
    };
    return [candlesOfReturns(count, interval, random, step)];
  },
};
