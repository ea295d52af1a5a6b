import { createCandles, type Candles } from '../../../compute/model/candles.js';
import { intervalMs, type Interval } from '../../../compute/model/interval.js';
import type { Random } from '../../../compute/model/random.js';

const startMs = Date.UTC(2020, 0, 1);

/** One candle's log return, and the deviation of the Brownian motion that led to it. */
export interface Step {
  logReturn: number;
  deviation: number;
}

/**
 * Candles from 100 on that move by the given steps. High and low are those of Brownian bridges from open to close
 * (Karatzas and Shreve, 4.3.40). Volume grows with the size of the move and is skewed to the right.
 */
export function candlesOfReturns(
  count: number,
  interval: Interval,
  random: Random,
  next: (index: number) => Step,
): Candles {
  const candles = createCandles(count);
  let price = 100;
  for (let i = 0; i < count; i++) {
    const { logReturn, deviation } = next(i);
    candles.time[i] = startMs + i * intervalMs(interval);
    candles.open[i] = price;
    candles.high[i] = price * Math.exp(reachOf(logReturn, deviation, random));
    candles.low[i] = price * Math.exp(-reachOf(-logReturn, deviation, random));
    price *= Math.exp(logReturn);
    candles.close[i] = price;
    candles.volume[i] = (100 - 50 * Math.log(1 - random.unit())) * (1 + Math.abs(logReturn) / deviation);
  }
  return candles;
}

/** The highest point, at or above 0, of a Brownian bridge from 0 to `end`. */
const reachOf = (end: number, deviation: number, random: Random): number =>
  (end + Math.sqrt(end * end - 2 * deviation * deviation * Math.log(1 - random.unit()))) / 2;
