import { defineAnalysis } from '../analysis.js';
import { candleReturns, mean } from '../metrics/returns.js';
import { standardDeviation } from '../metrics/moments.js';
import { studentP } from '../metrics/student.js';
import { firstCandleFrom } from '../model/candles.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { intervalMs, type Interval } from '../model/interval.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { marketNow } from './market-now.js';

/** Each candle is compared with this many candles before it. */
const historyCandles = 90;

/** Of these, so many must have a volume. */
const fewestTraded = 60;

const anomaliesParams = {
  minZ: field.number('least z-score that counts as unusual, whatever its sign', {
    min: 1,
    max: 20,
    default: 3,
  }),
  withinCandles: field.integer('how many of the last candles of the market are examined', {
    min: 1,
    max: 48,
    default: 1,
  }),
  limit: field.integer('most rows', { min: 1, max: 100, default: 25 }),
};

export type AnomaliesParams = Values<typeof anomaliesParams>;

const anomaly = field.object('an unusual candle', {
  asset: field.text('asset symbol'),
  time: field.time('open time of the candle'),
  unusual: field.list('what is unusual', field.choice('return or volume', ['return', 'volume'])),
  close: field.number('close of the candle', { unit: 'quote' }),
  returnPercent: field.nullable(
    field.number('return since the close before; null on the first candle', { unit: 'percent' }),
  ),
  returnZ: field.nullable(
    field.number('z-score of the return among the 90 before; null where these are fewer or do not vary'),
  ),
  volume: field.number('volume of the candle', { unit: 'base' }),
  usualVolume: field.nullable(field.number('mean volume of the 90 candles before', { unit: 'base' })),
  volumeZ: field.nullable(
    field.number(
      'z-score of the logarithm of the volume among those of the 90 before; null where it or more than 30 of these are 0, or they do not vary',
    ),
  ),
  reason: nullReason,
  afterGap: field.flag('whether candles are missing right before it, so that the return spans more than one'),
});

export type Anomaly = Value<typeof anomaly>;

const anomaliesOutput = field.object('the unusual candles', {
  asOf: field.time('close time of the newest candle of any asset'),
  assets: field.count('assets that have the newest candle'),
  stale: field.count('assets without the newest candle, which are left out'),
  skipped: field.count('assets without any z-score: their history is too short or does not vary'),
  measured: field.count('z-scores computed'),
  beyond: field.count('z-scores of at least minZ, whatever their sign'),
  expectedIfNormal: field.number(
    "z-scores that would be beyond if returns and logarithms of volumes were normally distributed: Student's distribution, since mean and deviation are estimated",
  ),
  found: field.count('unusual candles, beyond the limit too'),
  rows: field.list('the unusual candles, the largest z-score first, whatever its sign', anomaly),
});

export type Anomalies = Value<typeof anomaliesOutput>;

export const anomalies = defineAnalysis({
  name: 'anomalies',
  title: 'Anomalies',
  summary:
    "Unusual candles across a market: return or volume many standard deviations off the asset's own last 90 candles.",
  needs: 'market',
  params: anomaliesParams,
  output: anomaliesOutput,
  scope: 'public',
  tool: {
    name: 'scan_anomalies',
    headline: ({ interval, found, assets, rows }) =>
      `${found} unusual candles on ${interval} among ${assets} assets${rows.length > 0 ? `; the furthest is that of ${rows[0].asset}` : ''}.`,
  },
  cost: 3,
  run: (question) => scanAnomalies(question),
});

/**
 * Candles among the last ones of a market whose simple return or logarithm of volume is at least `minZ` standard deviations
 * (n - 1) from the mean of the asset's 90 candles before it. Volumes are skewed to the right, their logarithms hardly. The
 * z-score of a normal value against n others, divided by sqrt(1 + 1 / n), has Student's distribution with n - 1 degrees of
 * freedom (Grubbs, Annals of Mathematical Statistics 21, 1950), from which `expectedIfNormal` follows. Returns have fatter
 * tails than a normal distribution, so `beyond` usually exceeds it. Throws `not_enough_history` without any candle.
 */
function scanAnomalies({ pairs, interval, params }: MarketQuestion<AnomaliesParams>): Anomalies {
  const { minZ, withinCandles, limit } = params;
  const { openMs, asOf, present, stale } = marketNow(pairs, interval);
  const fromMs = openMs - (withinCandles - 1) * intervalMs(interval);
  const byAsset = present.map((pair) => measureSince(pair, fromMs, interval));
  const scores = byAsset.flat().flatMap(scoresOf);
  const isBeyond = (score: Score | null) => score !== null && Math.abs(score.z) >= minZ;
  const rows = byAsset
    .flat()
    .map((each) => ({ measured: each, unusual: unusualOf(each, isBeyond) }))
    .filter(({ unusual }) => unusual.length > 0)
    .map(({ measured, unusual }) => anomalyOf(measured, unusual))
    .sort((a, b) => furthest(b) - furthest(a) || b.time - a.time || (a.asset < b.asset ? -1 : 1));
  return {
    asOf,
    assets: present.length,
    stale: stale.length,
    skipped: byAsset.filter((measured) => measured.flatMap(scoresOf).length === 0).length,
    measured: scores.length,
    beyond: scores.filter(isBeyond).length,
    expectedIfNormal: expectedBeyond(scores, minZ),
    found: rows.length,
    rows: rows.slice(0, limit),
  };
}

/** A z-score against so many values. */
interface Score {
  z: number;
  count: number;
}

type Measured = Omit<Anomaly, 'unusual' | 'returnZ' | 'volumeZ'> &
  Record<'returnZ' | 'volumeZ', Score | null>;

const scoresOf = ({ returnZ, volumeZ }: Measured) => [returnZ, volumeZ].filter((score) => score !== null);

const anomalyOf = (measured: Measured, unusual: Anomaly['unusual']): Anomaly => ({
  ...measured,
  unusual,
  returnZ: measured.returnZ?.z ?? null,
  volumeZ: measured.volumeZ?.z ?? null,
});

const furthest = ({ returnZ, volumeZ }: Anomaly) => Math.max(Math.abs(returnZ ?? 0), Math.abs(volumeZ ?? 0));

/** The probability of a z-score of at least `minZ` on either side against `count` values, all of them normal. */
const chanceBeyond = (minZ: number, count: number): number =>
  studentP(minZ / Math.sqrt(1 + 1 / count), count - 1);

/** How many scores of normal values are expected beyond; nearly all are against the same number of values. */
function expectedBeyond(scores: readonly Score[], minZ: number): number {
  const chances = new Map<number, number>();
  let sum = 0;
  for (const { count } of scores) {
    const chance = chances.get(count) ?? chanceBeyond(minZ, count);
    chances.set(count, chance);
    sum += chance;
  }
  return sum;
}

function unusualOf(
  { returnZ, volumeZ }: Measured,
  isBeyond: (score: Score | null) => boolean,
): Anomaly['unusual'] {
  return [
    ...(isBeyond(returnZ) ? ['return' as const] : []),
    ...(isBeyond(volumeZ) ? ['volume' as const] : []),
  ];
}

function measureSince({ asset, candles }: PairCandles, fromMs: number, interval: Interval): Measured[] {
  const { time, close, volume } = candles;
  const first = firstCandleFrom(time, fromMs);
  // returns[n] is the return of candle `start` + n + 1.
  const start = Math.max(0, first - historyCandles - 1);
  const returns = candleReturns(close.subarray(start));
  return Array.from({ length: time.length - first }, (_, n) => {
    const i = first + n;
    const before = i - historyCandles;
    const change = i > 0 ? returns[i - start - 1] : null;
    const volumes = before >= 0 ? volume.subarray(before, i) : null;
    const returnZ = before > 0 ? zScore(change!, returns.subarray(before - start - 1, i - start - 1)) : null;
    const volumeZ = volumes && volumeScore(volume[i], volumes);
    return {
      asset,
      time: time[i],
      close: close[i],
      returnPercent: change === null ? null : change * 100,
      returnZ,
      volume: volume[i],
      usualVolume: volumes && mean(volumes),
      volumeZ,
      reason: reasonsOf(
        returnZ === null && whyNoReturn(i),
        volumeZ === null && whyNoVolume(i, volume[i], volumes),
      ),
      afterGap: i > 0 && time[i] - time[i - 1] > intervalMs(interval),
    };
  });
}

/** Why the return of candle `i` has no z-score. */
const whyNoReturn = (i: number): string =>
  i <= historyCandles
    ? `a z-score of the return needs ${historyCandles + 1} candles before, found ${i}`
    : `the ${historyCandles} returns before do not vary`;

function whyNoVolume(i: number, own: number, before: Float64Array | null): string {
  if (!before) return `a z-score of the volume needs ${historyCandles} candles before, found ${i}`;
  if (own === 0) return 'nothing was traded on the candle';
  const traded = before.filter((each) => each > 0).length;
  return traded < fewestTraded
    ? `a z-score of the volume needs ${fewestTraded} candles with a volume before, found ${traded}`
    : `the ${historyCandles} volumes before do not vary`;
}

function zScore(value: number, history: Float64Array): Score | null {
  const deviation = standardDeviation(history);
  return deviation > 0 ? { z: (value - mean(history)) / deviation, count: history.length } : null;
}

/** The z-score of the logarithm, which a volume of 0 has not: such candles are left out. */
function volumeScore(volume: number, history: Float64Array): Score | null {
  const traded = history.filter((each) => each > 0);
  return volume > 0 && traded.length >= fewestTraded ? zScore(Math.log(volume), traded.map(Math.log)) : null;
}
