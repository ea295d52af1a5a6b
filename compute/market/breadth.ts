import { computeCoreLine } from '../core-line/states.js';
import { computeIndicator } from '../model/indicator.js';
import { donchian } from '../indicators/donchian.js';
import { sma } from '../indicators/sma.js';
import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import { stateCode } from '../model/core-line.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { marketNow } from './market-now.js';

/** A high is new when it is above the highs of so many candles before, a low likewise. */
const extremeCandles = 90;

/** The furthest that any of the measures looks back from a candle, the state aside. */
const reach = 200;

export interface BreadthParams {
  /** How many of the market's last candles are answered. */
  limit: number;
}

/** How many assets take part in a move, after one candle. Shares are in percent; null where no asset counts. */
export interface BreadthRow {
  /** Open time of the candle in ms, UTC. */
  time: number;
  /** Assets with a candle at this time. Each share names how many of them have the history it takes. */
  assets: number;
  /** Closes above the mean of the last 50, and of the last 200; a close on it is not above. */
  aboveSma50Percent: number | null;
  sma50Assets: number;
  aboveSma200Percent: number | null;
  sma200Assets: number;
  /** Assets whose trend state is accumulate. */
  accumulatePercent: number | null;
  stateAssets: number;
  /** Assets that closed above and below their candle before. */
  advancers: number;
  decliners: number;
  /** The sum of advancers less decliners from the first row on: its course counts, not its level. */
  advanceDeclineLine: number;
  /** Assets whose high is above that of the 90 candles before, or whose low is below theirs. */
  newHighs: number;
  newLows: number;
  newHighsMinusLows: number;
  highLowAssets: number;
}

export interface Breadth {
  /** Oldest first; a time at which no asset has a candle has no row. */
  rows: BreadthRow[];
  /** Close time of the last row. */
  asOf: number;
  /** Assets that have no candle at the last row; they count in the rows before it. */
  stale: number;
}

/**
 * Breadth of a market over its last candles. Every asset counts while it has candles, so one that is listed or dropped
 * within the window changes who is asked. Throws `not_enough_history` without any candle.
 */
export function breadth(
  { pairs, interval, params }: MarketQuestion<BreadthParams>,
  scratch = new ScratchBuffers(),
): Breadth {
  const { asOf, stale } = marketNow(pairs, interval);
  const times = lastTimes(pairs, params.limit);
  const counts = createCounts(times.length);
  for (const { candles } of pairs) scratch.within(() => countPair(candles, times, counts, scratch));
  let line = 0;
  const rows = Array.from(times, (time, n) =>
    rowOf(time, n, counts, (line += counts.advancers[n] - counts.decliners[n])),
  );
  return { rows, asOf, stale: stale.length };
}

/** The last `most` different open times of all pairs, ascending. */
function lastTimes(pairs: readonly PairCandles[], most: number): Float64Array {
  const tails = pairs.map(({ candles: { time } }) => time.subarray(Math.max(0, time.length - most)));
  const all = [...new Set(tails.flatMap((tail) => [...tail]))];
  return Float64Array.from(all).sort().slice(-most);
}

const counted = [
  'assets',
  'aboveSma50',
  'sma50',
  'aboveSma200',
  'sma200',
  'accumulate',
  'state',
  'advancers',
  'decliners',
  'newHighs',
  'newLows',
  'highLow',
] as const;

type Counts = Record<(typeof counted)[number], Int32Array>;

const createCounts = (length: number): Counts =>
  Object.fromEntries(counted.map((name) => [name, new Int32Array(length)])) as Counts;

function countPair(candles: Candles, times: Float64Array, counts: Counts, scratch: ScratchBuffers): void {
  const { time, close, high, low } = candles;
  const first = firstCandleFrom(time, times[0]);
  if (first === time.length) return;
  const start = Math.max(0, first - reach);
  const tail = sliceCandles(candles, start, time.length);
  const { sma: sma50 } = computeIndicator(sma, tail, { period: 50 }, scratch);
  const { sma: sma200 } = computeIndicator(sma, tail, { period: 200 }, scratch);
  const { upper, lower } = computeIndicator(donchian, tail, { period: extremeCandles }, scratch);
  const { state } = computeCoreLine(candles, scratch);
  let row = 0;
  for (let i = first; i < time.length; i++) {
    while (times[row] < time[i]) row++;
    const k = i - start;
    counts.assets[row]++;
    counts.sma50[row] += Number(i >= 49);
    counts.aboveSma50[row] += Number(isAbove(close[i], sma50[k]));
    counts.sma200[row] += Number(i >= 199);
    counts.aboveSma200[row] += Number(isAbove(close[i], sma200[k]));
    counts.state[row] += Number(state[i] !== stateCode.none);
    counts.accumulate[row] += Number(state[i] === stateCode.accumulate);
    if (i === 0) continue;
    counts.advancers[row] += Number(close[i] > close[i - 1]);
    counts.decliners[row] += Number(close[i] < close[i - 1]);
    counts.highLow[row] += Number(i >= extremeCandles);
    counts.newHighs[row] += Number(high[i] > upper[k - 1]);
    counts.newLows[row] += Number(low[i] < lower[k - 1]);
  }
}

/** A price on its mean may be above it by rounding. False where there is no mean. */
const isAbove = (price: number, mean: number) => price - mean > 1e-12 * price;

function rowOf(time: number, n: number, counts: Counts, advanceDeclineLine: number): BreadthRow {
  const share = (part: Int32Array, whole: Int32Array) => (whole[n] === 0 ? null : (part[n] / whole[n]) * 100);
  return {
    time,
    assets: counts.assets[n],
    aboveSma50Percent: share(counts.aboveSma50, counts.sma50),
    sma50Assets: counts.sma50[n],
    aboveSma200Percent: share(counts.aboveSma200, counts.sma200),
    sma200Assets: counts.sma200[n],
    accumulatePercent: share(counts.accumulate, counts.state),
    stateAssets: counts.state[n],
    advancers: counts.advancers[n],
    decliners: counts.decliners[n],
    advanceDeclineLine,
    newHighs: counts.newHighs[n],
    newLows: counts.newLows[n],
    newHighsMinusLows: counts.newHighs[n] - counts.newLows[n],
    highLowAssets: counts.highLow[n],
  };
}
