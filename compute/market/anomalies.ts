import { normalCdf } from '../metrics/normal.js';
import { candleReturns, mean } from '../metrics/returns.js';
import { standardDeviation } from '../metrics/standard-deviation.js';
import { firstCandleFrom } from '../model/candles.js';
import { intervalMs, type Interval } from '../model/interval.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { marketNow } from './market-now.js';

/** A candle is measured against so many before it. */
const historyCandles = 90;

export interface AnomaliesParams {
  /** How many standard deviations are unusual. */
  minZ: number;
  /** How many of the market's last candles are looked at. */
  withinCandles: number;
  limit: number;
}

/** An unusual candle. */
export interface Anomaly {
  asset: string;
  /** Open time of the candle in ms, UTC. */
  time: number;
  /** What is unusual about it. */
  unusual: ('return' | 'volume')[];
  close: number;
  /** Against the close before; null where there is none. */
  returnPercent: number | null;
  /** Deviations from the mean of the 90 candles before; null where they are too few or do not differ. */
  returnZ: number | null;
  /** In base units, and its mean over the 90 candles before. */
  volume: number;
  usualVolume: number | null;
  volumeZ: number | null;
  /** Whether candles are missing right before it: its return is then that of a longer time. */
  afterGap: boolean;
}

export interface Anomalies {
  /** Close time of the newest candle of any asset, in ms, UTC. */
  asOf: number;
  /** Assets that have this candle: all others are `stale` and not looked at. */
  assets: number;
  stale: number;
  /** Assets without a z-score, as their history is too short or never moves. */
  skipped: number;
  /** How many z-scores were taken, how many lie beyond, and how many would if they were normally distributed. */
  measured: number;
  beyond: number;
  expectedIfNormal: number;
  /** How many unusual candles there are, beyond the limit too. */
  found: number;
  /** By the larger of the two z-scores, whatever its sign; the largest first. */
  rows: Anomaly[];
}

/**
 * Candles among the last ones of a market whose simple return or volume lies at least `minZ` standard deviations (n - 1)
 * from the mean of the asset's own 90 candles before, the candle itself left out. Returns and, more so, volumes have
 * fatter tails than a normal distribution: more than `expectedIfNormal` is normal. Throws `not_enough_history` without
 * any candle.
 */
export function anomalies({ pairs, interval, params }: MarketQuestion<AnomaliesParams>): Anomalies {
  const { minZ, withinCandles, limit } = params;
  const { openMs, asOf, present, stale } = marketNow(pairs, interval);
  const fromMs = openMs - (withinCandles - 1) * intervalMs(interval);
  const byAsset = present.map((pair) => measureSince(pair, fromMs, interval));
  const scores = byAsset.flat().flatMap(scoresOf);
  const isBeyond = (z: number | null) => z !== null && Math.abs(z) >= minZ;
  const rows = byAsset
    .flat()
    .map((each) => ({ ...each, unusual: unusualOf(each, isBeyond) }))
    .filter(({ unusual }) => unusual.length > 0)
    .sort((a, b) => furthest(b) - furthest(a) || b.time - a.time || (a.asset < b.asset ? -1 : 1));
  return {
    asOf,
    assets: present.length,
    stale: stale.length,
    skipped: byAsset.filter((measured) => measured.flatMap(scoresOf).length === 0).length,
    measured: scores.length,
    beyond: scores.filter(isBeyond).length,
    expectedIfNormal: scores.length * 2 * normalCdf(-minZ),
    found: rows.length,
    rows: rows.slice(0, limit),
  };
}

type Measured = Omit<Anomaly, 'unusual'>;

const scoresOf = ({ returnZ, volumeZ }: Measured) => [returnZ, volumeZ].filter((z) => z !== null);

const furthest = (measured: Measured) => Math.max(...scoresOf(measured).map(Math.abs));

function unusualOf(
  { returnZ, volumeZ }: Measured,
  isBeyond: (z: number | null) => boolean,
): Anomaly['unusual'] {
  return [
    ...(isBeyond(returnZ) ? ['return' as const] : []),
    ...(isBeyond(volumeZ) ? ['volume' as const] : []),
  ];
}

function measureSince({ asset, candles }: PairCandles, fromMs: number, interval: Interval): Measured[] {
  const { time, close, volume } = candles;
  const first = firstCandleFrom(time, fromMs);
  // The return of candle `start` + n + 1 is the nth.
  const start = Math.max(0, first - historyCandles - 1);
  const returns = candleReturns(close.subarray(start));
  return Array.from({ length: time.length - first }, (_, n) => {
    const i = first + n;
    const before = i - historyCandles;
    const change = i > 0 ? returns[i - start - 1] : null;
    const volumes = before >= 0 ? volume.subarray(before, i) : null;
    return {
      asset,
      time: time[i],
      close: close[i],
      returnPercent: change === null ? null : change * 100,
      returnZ: before > 0 ? zScore(change!, returns.subarray(before - start - 1, i - start - 1)) : null,
      volume: volume[i],
      usualVolume: volumes && mean(volumes),
      volumeZ: volumes && zScore(volume[i], volumes),
      afterGap: i > 0 && time[i] - time[i - 1] > intervalMs(interval),
    };
  });
}

function zScore(value: number, history: Float64Array): number | null {
  const deviation = standardDeviation(history);
  return deviation > 0 ? (value - mean(history)) / deviation : null;
}
