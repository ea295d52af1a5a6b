import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { pairCorrelation } from './clustered-pair.js';
import { furthest } from './heavy-tails.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';
import { tailWeight } from './tail-weight.js';

/**
 * Two correlated markets whose wild candles are the same, so that neither is independent of the other's size: simple returns of a
 * bivariate Student's distribution of three degrees, which has no fourth moment.
 */
export const heavyPair: MarketProcess = {
  name: 'heavy-tailed pair',
  isIndependent: false,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const deviation = usualDeviation[interval];
    const returns = [new Float64Array(count), new Float64Array(count)];
    for (let i = 0; i < count; i++) {
      const [common, own, weight] = [normalDraw(random), normalDraw(random), tailWeight(random)];
      const other = pairCorrelation * common + Math.sqrt(1 - pairCorrelation ** 2) * own;
      // Both are shortened alike, so that the one stays as far from the other as it was.
      const bounded = Math.min(weight, furthest / Math.max(Math.abs(common), Math.abs(other)));
      returns[0][i] = deviation * bounded * common;
      returns[1][i] = deviation * bounded * other;
    }
    return returns.map((each) =>
      candlesOfReturns(count, interval, random, (i) => ({ logReturn: Math.log1p(each[i]), deviation })),
    );
  },
};
