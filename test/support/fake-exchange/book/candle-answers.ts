import { candleColumns, type Candles } from '../../../../compute/model/candles.js';

const hourMs = 3_600_000;

/** The close that candles and prices show for the hour that is not closed. */
const unfinishedClose = ({ high, low }: Candles, i: number): number => (high[i] + low[i]) / 2;

/** The candles of 1 h from a time on, as Binance writes them: times as numbers of ms, prices as text. */
export function hoursOfCandles(
  candles: Candles,
  { startMs, limit, nowMs }: { startMs: number; limit: number; nowMs: number },
): (number | string)[][] {
  const rows: (number | string)[][] = [];
  for (let i = 0; i < candles.time.length && rows.length < limit; i++) {
    const [time, open, high, low, close, volume] = candleColumns.map((column) => candles[column][i]);
    if (time < startMs || time > nowMs) continue;
    const isClosed = time + hourMs <= nowMs;
    const last = isClosed ? [close, volume] : [unfinishedClose(candles, i), volume / 2];
    rows.push([time, ...[open, high, low, ...last].map(String), time + hourMs - 1, '0', 10, '0', '0', '0']);
  }
  return rows;
}

/** The price in the hour that is not closed, and the close of 24 hours before. */
export function dayOfCandles(candles: Candles, nowMs: number): { price: string; open: string } {
  const { time, close } = candles;
  let i = 0;
  while (i + 1 < time.length && time[i + 1] <= nowMs) i++;
  return { price: String(unfinishedClose(candles, i)), open: String(close[Math.max(0, i - 24)]) };
}
