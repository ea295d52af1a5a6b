import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';

/** The correlation of the returns of both markets. */
export const pairCorrelation = 0.6;

/** Weights of the last mean squared shock and of the last variance. */
const [shockWeight, varianceWeight] = [0.1, 0.85];

/** Two correlated markets of one variance, which follows a GARCH(1,1): they are turbulent together. */
export const clusteredPair: MarketProcess = {
  name: 'clustered pair',
  isIndependent: false,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const usual = usualDeviation[interval] ** 2;
    const deviations = new Float64Array(count);
    const shocks = [new Float64Array(count), new Float64Array(count)];
    let variance = usual;
    for (let i = 0; i < count; i++) {
      const [common, own] = [normalDraw(random), normalDraw(random)];
      deviations[i] = Math.sqrt(variance);
      shocks[0][i] = deviations[i] * common;
      shocks[1][i] = deviations[i] * (pairCorrelation * common + Math.sqrt(1 - pairCorrelation ** 2) * own);
      const squares = (shocks[0][i] ** 2 + shocks[1][i] ** 2) / 2;
      variance =
        (1 - shockWeight - varianceWeight) * usual + shockWeight * squares + varianceWeight * variance;
    }
    const step = (n: number) => (i: number) => ({
      logReturn: shocks[n][i] - deviations[i] ** 2 / 2,
      deviation: deviations[i],
    });
    return shocks.map((_, n) => candlesOfReturns(count, interval, random, step(n)));
  },
};
