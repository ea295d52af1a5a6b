import { defineAnalysis } from '../analysis.js';
import { computeCoreLine } from '../core-line/states.js';
import { computeIndicator } from '../model/indicator.js';
import { donchian } from '../indicators/donchian.js';
import { sma } from '../indicators/sma.js';
import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import { stateCode } from '../model/core-line.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { formatNumber } from '../model/format-number.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { marketNow } from './market-now.js';

/** A high is new when it is above the highs of this many candles before; a low likewise. */
const extremeCandles = 90;

/** The candles that the averages and extremes look back on; the trend state looks back on all. */
const reach = 200;

const breadthParams = {
  limit: field.integer('how many of the last candles of the market are answered', {
    min: 1,
    max: 365,
    default: 90,
  }),
};

export type BreadthParams = Values<typeof breadthParams>;

const share = (text: string) =>
  field.nullable(field.number(`${text}; null where no asset has the history`, { unit: 'percent' }));

const breadthRow = field.object('the market after one candle', {
  time: field.time('open time of the candle'),
  assets: field.count('assets that have this candle'),
  aboveSma50Percent: share('share of assets that closed above their SMA(50)'),
  sma50Assets: field.count('assets with an SMA(50)'),
  aboveSma200Percent: share('share of assets that closed above their SMA(200)'),
  sma200Assets: field.count('assets with an SMA(200)'),
  accumulatePercent: share('share of assets whose trend state is accumulate'),
  stateAssets: field.count('assets with a trend state'),
  reason: nullReason,
  advancers: field.count('assets that closed above their candle before'),
  decliners: field.count('assets that closed below their candle before'),
  advanceDeclineLine: field.integer(
    'sum of advancers less decliners since the first row: its changes matter, not its level',
  ),
  newHighs: field.count('assets with a high above those of the 90 candles before'),
  newLows: field.count('assets with a low below those of the 90 candles before'),
  newHighsMinusLows: field.integer('newHighs less newLows'),
  highLowAssets: field.count('assets with 90 candles before this one'),
});

export type BreadthRow = Value<typeof breadthRow>;

const breadthOutput = field.object('breadth of a market over time', {
  rows: field.list('oldest first; a time at which no asset has a candle has no row', breadthRow),
  asOf: field.time('close time of the last row'),
  stale: field.count('assets without a candle at the last row; they count in the rows before'),
});

export type Breadth = Value<typeof breadthOutput>;

export const breadth = defineAnalysis({
  name: 'breadth',
  title: 'Breadth history',
  summary:
    'Breadth of a market over time: share of assets above SMA 50 and 200, share in accumulate, advance-decline line, new highs minus lows.',
  needs: 'market',
  params: breadthParams,
  output: breadthOutput,
  scope: 'public',
  tool: {
    name: 'get_breadth_history',
    headline: ({ interval, rows }) => breadthHeadline(interval, rows.at(-1)),
  },
  cost: 3,
  run: (question, scratch) => measureBreadth(question, scratch),
});

/**
 * Breadth of a market over its last candles. Each asset counts wherever it has candles, so an asset listed or dropped
 * within the window changes the set of assets. Throws `not_enough_history` without any candle.
 */
function measureBreadth(
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

/** The last `most` distinct open times of all pairs, ascending. */
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

/** Whether a price is above its mean by more than rounding. False for a mean of NaN. */
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
    reason: reasonsOf(
      counts.sma50[n] === 0 && 'no asset has 50 candles',
      counts.sma200[n] === 0 && 'no asset has 200 candles',
      counts.state[n] === 0 && 'no asset has the candles of a trend state',
    ),
    advancers: counts.advancers[n],
    decliners: counts.decliners[n],
    advanceDeclineLine,
    newHighs: counts.newHighs[n],
    newLows: counts.newLows[n],
    newHighsMinusLows: counts.newHighs[n] - counts.newLows[n],
    highLowAssets: counts.highLow[n],
  };
}

/** The last row in words. */
function breadthHeadline(interval: string | undefined, last: Breadth['rows'][number] | undefined): string {
  if (!last) return 'There is no breadth yet.';
  const { aboveSma50Percent: above50, aboveSma200Percent: above200, accumulatePercent } = last;
  const percent = (share: number | null) => (share === null ? 'unknown' : `${formatNumber(share, 3)} %`);
  return `Breadth on ${interval}: ${percent(above50)} above SMA 50, ${percent(above200)} above SMA 200, ${percent(accumulatePercent)} in accumulate.`;
}
