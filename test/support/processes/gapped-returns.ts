import { createRandom } from '../../../compute/model/random.js';
import { candlesWhere } from '../candles/pairs.js';
import { independentReturns } from './independent-returns.js';
import type { MarketProcess } from './market-process.js';

/** The chance that an outage begins with a candle, and its mean length in candles. */
const [outage, meanLength] = [0.005, 10];

/** Independent returns of which outages have swallowed about 5 % of the candles. */
export const gappedReturns: MarketProcess = {
  name: 'gaps',
  isIndependent: true,
  meanReturn: 0,
  draw(draw) {
    const random = createRandom(draw.seed ^ 0x6a95);
    let isMissing = false;
    const keep = Array.from({ length: draw.count }, () => {
      isMissing = random.unit() < (isMissing ? 1 - 1 / meanLength : outage);
      return !isMissing;
    });
    return independentReturns.draw(draw).map((candles) => candlesWhere(candles, (index) => keep[index]));
  },
};
