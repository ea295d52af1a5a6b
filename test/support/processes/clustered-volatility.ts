import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';

/** Weights of the last squared shock and of the last variance. Half of a burst is gone after 14 candles. */
const [shockWeight, varianceWeight] = [0.1, 0.85];

/** Normal shocks whose variance follows a GARCH(1,1) of Bollerslev, 1986; the price is a martingale. */
export const clusteredVolatility: MarketProcess = {
  name: 'clustered',
  isIndependent: false,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const usual = usualDeviation[interval] ** 2;
    let variance = usual;
    const step = () => {
      const deviation = Math.sqrt(variance);
      const shock = deviation * normalDraw(random);
      const logReturn = shock - variance / 2;
      variance =
        (1 - shockWeight - varianceWeight) * usual + shockWeight * shock ** 2 + varianceWeight * variance;
      return { logReturn, deviation };
    };
    return [candlesOfReturns(count, interval, random, step)];
  },
};
