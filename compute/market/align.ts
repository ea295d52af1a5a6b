import { firstCandleFrom, type Candles } from '../model/candles.js';

/** The closes of several series at the times where all of them have a candle. */
export interface AlignedCloses {
  /** Open times of the candles that all series have, ascending, in ms, UTC. */
  time: Float64Array;
  /** The closes at these times, one column per series, in the order given. */
  closes: Float64Array[];
}

/** The last `most` common candles of the series, by open time; none where a series is empty. */
export function alignCloses(series: readonly Candles[], most: number): AlignedCloses {
  const rows = commonRows(series, most);
  const pick = (column: Float64Array, n: number) =>
    Float64Array.from(rows, (row) => column[row[n]]).reverse();
  return {
    time: series.length === 0 ? new Float64Array(0) : pick(series[0].time, 0),
    closes: series.map(({ close }, n) => pick(close, n)),
  };
}

/** For each common time, newest first, the index of its candle in every series. */
function commonRows(series: readonly Candles[], most: number): number[][] {
  const rows: number[][] = [];
  const at = series.map(({ time }) => time.length - 1);
  while (rows.length < most) {
    const oldest = Math.min(...at.map((index, n) => (index < 0 ? -Infinity : series[n].time[index])));
    // Every candle of a series has been visited, or there is no series.
    if (!Number.isFinite(oldest)) break;
    at.forEach((_, n) => (at[n] = lastAtOrBefore(series[n].time, at[n], oldest)));
    if (at.some((index) => index < 0)) break;
    if (at.every((index, n) => series[n].time[index] === oldest)) {
      rows.push([...at]);
      at.forEach((_, n) => at[n]--);
    }
  }
  return rows;
}

function lastAtOrBefore(time: Float64Array, from: number, timeMs: number): number {
  if (time[from] <= timeMs) return from;
  return from > 0 && time[from - 1] <= timeMs ? from - 1 : firstCandleFrom(time, timeMs + 1) - 1;
}

/** The number of steps between neighbouring times that are longer than `stepMs`. */
export function countGaps(time: Float64Array, stepMs: number): number {
  let gaps = 0;
  for (let i = 1; i < time.length; i++) gaps += Number(time[i] - time[i - 1] > stepMs);
  return gaps;
}
