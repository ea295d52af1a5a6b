/** The columns of a candle series, in the order in which they are stored. */
export const candleColumns = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

export type CandleColumn = (typeof candleColumns)[number];

/** Closed candles of one pair and interval: equally long columns, ascending; `time` is the open time in ms, UTC. */
export type Candles = Readonly<Record<CandleColumn, Float64Array>>;

/** Bytes of the columns of `count` candles. */
export const candleBytes = (count: number): number =>
  count * candleColumns.length * Float64Array.BYTES_PER_ELEMENT;

/** Candles whose columns follow one another in `buffer`, which holds exactly `count` candles. */
export function candlesOver(buffer: ArrayBufferLike, count: number): Candles {
  const column = (index: number) =>
    new Float64Array(buffer, index * count * Float64Array.BYTES_PER_ELEMENT, count);
  return {
    time: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  };
}

/** `count` candles of zeros in new columns. */
export const createCandles = (count: number): Candles =>
  candlesOver(new ArrayBuffer(candleBytes(count)), count);

/** The candles from index `from` up to, not including, `to`: a view, not a copy. */
export function sliceCandles(candles: Candles, from: number, to: number): Candles {
  const { time, open, high, low, close, volume } = candles;
  return {
    time: time.subarray(from, to),
    open: open.subarray(from, to),
    high: high.subarray(from, to),
    low: low.subarray(from, to),
    close: close.subarray(from, to),
    volume: volume.subarray(from, to),
  };
}

/** Copies all of `source` into `target` from index `at` on. */
export function copyCandles(source: Candles, target: Candles, at: number): void {
  for (const column of candleColumns) target[column].set(source[column], at);
}

/** The index of the first candle that opens at or after `timeMs`; the number of candles if none does. */
export function firstCandleFrom(time: Float64Array, timeMs: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle] < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
