import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';

/** Drift of a candle as a share of the deviation, and the chance that a regime ends with it. */
const [driftShare, change] = [0.1, 0.01];

/**
 * Regimes of about 100 candles that rise or fall by a tenth of the deviation each candle: Hamilton, 1989. Over long
 * spans the expected return is 0; within a regime it is not.
 */
export const driftingRegimes: MarketProcess = {
  name: 'regimes',
  isIndependent: false,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const deviation = usualDeviation[interval];
    const drift = driftShare * deviation;
    let way = random.unit() < 0.5 ? 1 : -1;
    const step = () => {
      if (random.unit() < change) way = -way;
      const growth = Math.log1p(way * drift);
      return { logReturn: growth + deviation * normalDraw(random) - deviation ** 2 / 2, deviation };
    };
    return [candlesOfReturns(count, interval, random, step)];
  },
};
