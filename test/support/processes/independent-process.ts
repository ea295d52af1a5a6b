import { createRandom, type Random } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';

/** A process of independent log returns, whose price is a martingale. `returnsOf` makes the next return by the usual deviation. */
export const independentProcess = (
  name: string,
  returnsOf: (deviation: number, random: Random) => () => number,
): MarketProcess => ({
  name,
  isIndependent: true,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const deviation = usualDeviation[interval];
    const next = returnsOf(deviation, random);
    return [candlesOfReturns(count, interval, random, () => ({ logReturn: next(), deviation }))];
  },
});
