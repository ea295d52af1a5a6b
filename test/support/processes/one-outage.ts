import { createRandom } from '../../../compute/model/random.js';
import { candlesWhere } from '../candles/pairs.js';
import { independentReturns } from './independent-returns.js';
import type { MarketProcess } from './market-process.js';

/** The candles that are missing, one after the other. */
const outageCandles = 61;

/** Independent returns with one long outage anywhere. */
export const oneOutage: MarketProcess = {
  name: 'one outage',
  isIndependent: true,
  meanReturn: 0,
  draw(draw) {
    const random = createRandom(draw.seed ^ 0x3c71);
    const from = Math.floor(random.unit() * (draw.count - outageCandles));
    return independentReturns
      .draw(draw)
      .map((candles) => candlesWhere(candles, (index) => index < from || index >= from + outageCandles));
  },
};
