import { intervalMs, type SourceInterval } from '../../compute/model/interval.js';
import { candleColumns, createCandles, type Candles } from '../../compute/model/candles.js';

/** Outside this range, sums and squares of values overflow or underflow a double. */
const smallestPrice = 1e-100;
const largestValue = 1e100;

/** The values of one candle, in the order of the columns. */
export type CandleRow = [
  time: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

const starts: Record<SourceInterval, string> = {
  '5m': 'time is not a multiple of 5 minutes',
  '15m': 'time is not a multiple of 15 minutes',
  '1h': 'time is not the start of an hour',
};

/** Why a row of finite numbers is not a closed candle of an interval at `nowMs`; null if it is one. */
export function faultOf(
  [time, open, high, low, close, volume]: CandleRow,
  nowMs: number,
  interval: SourceInterval = '1h',
): string | null {
  const lengthMs = intervalMs(interval);
  if (!Number.isInteger(time) || time < 0) return 'time is not a whole number of milliseconds';
  if (time < 1e11) return 'time looks like seconds, milliseconds are expected';
  if (time > 1e14) return 'time looks like microseconds, milliseconds are expected';
  if (time % lengthMs !== 0) return starts[interval];
  if (time + lengthMs > nowMs) return 'the candle is not over yet';
  if (Math.min(open, high, low, close) <= 0) return 'a price is not above 0';
  if (Math.min(open, high, low, close) < smallestPrice) return `a price is below ${smallestPrice}`;
  if (Math.max(open, high, low, close, volume) > largestValue) return `a value is above ${largestValue}`;
  if (high < Math.max(open, close, low)) return 'high is below another price';
  if (low > Math.min(open, close)) return 'low is above another price';
  return volume < 0 ? 'volume is below 0' : null;
}

/** The rows as columns. */
export function candlesOf(rows: readonly CandleRow[]): Candles {
  const candles = createCandles(rows.length);
  rows.forEach((row, i) => candleColumns.forEach((column, c) => (candles[column][i] = row[c])));
  return candles;
}
