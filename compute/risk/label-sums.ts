import type { Candles } from '../model/candles.js';
import { intervalMs } from '../model/interval.js';
import { neededCandles, tradeSides, type RiskProfile, type TradeSide } from '../model/risk-assessment.js';
import { calibrationHours, labelsByRisk } from '../model/risk-calibration.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { readingColumns } from './reading-columns.js';
import { riskProfileOf, riskReasons, sumPoints } from './score.js';

const hourMs = intervalMs('1h');

/** Periods that count as independent: four times the longest time ahead. */
const periodMs = 28 * 24 * hourMs;

/** Adverse moves after the hours with a label: how many, and their sum in percent. */
export interface MoveSum {
  count: number;
  sum: number;
}

/** By side, then by the time ahead in the order of `calibrationHours`, then by label. */
export type MoveSums = Record<TradeSide, Record<RiskProfile, MoveSum>[]>;

/** The sums of one period of 28 days. */
export interface PeriodSums {
  /** Periods since 1970. */
  period: number;
  sums: MoveSums;
}

/** The sums of one asset, and the close times in ms of the first and last hour with a label; null without any. */
export interface LabelSums {
  fromMs: number | null;
  toMs: number | null;
  periods: PeriodSums[];
}

export interface LabelSumsInput {
  /** All closed 1h candles of the coin. */
  candles: Candles;
  /** All closed 1h candles of the leading asset. */
  leading: Candles;
  isLeading: boolean;
}

/**
 * The label of a trade on either side at every closed hour, and the worst move against the position after it, summed by
 * periods. The move runs from the close of the hour to the lowest low (long) or highest high (short) of the hours that
 * follow, at most 0. Hours are left out whose time ahead is not over or has missing candles, and those before the readings
 * have the history that an assessment needs.
 */
export function sumLabels(
  { candles, leading, isLeading }: LabelSumsInput,
  scratch = new ScratchBuffers(),
): LabelSums {
  const { time } = candles;
  const found: LabelSums = { fromMs: null, toMs: null, periods: [] };
  const readings = readingColumns(candles, leading, scratch);
  let known = 0;
  for (let i = 0; i < time.length; i++) {
    while (known < leading.time.length && leading.time[known] <= time[i]) known++;
    const moves = movesAfter(candles, i);
    if (i + 1 < neededCandles || known < neededCandles || moves.length === 0) continue;
    const read = readings(i, known - 1);
    const sums = sumsOf(found, Math.floor(time[i] / periodMs));
    for (const side of tradeSides) {
      const label = riskProfileOf(sumPoints(riskReasons(read, side, isLeading)));
      moves.forEach((move, n) => {
        const cell = sums[side][n][label];
        cell.count++;
        cell.sum += move[side];
      });
    }
    found.fromMs ??= time[i] + hourMs;
    found.toMs = time[i] + hourMs;
  }
  return found;
}

/** The worst moves after a candle, in percent: one for each time ahead that is over and has all its candles. */
function movesAfter({ time, low, high, close }: Candles, at: number): Record<TradeSide, number>[] {
  const moves: Record<TradeSide, number>[] = [];
  let [lowest, highest] = [close[at], close[at]];
  let i = at;
  for (const hours of calibrationHours) {
    if (time[at + hours] !== time[at] + hours * hourMs) break;
    while (i < at + hours) {
      i++;
      if (low[i] < lowest) lowest = low[i];
      if (high[i] > highest) highest = high[i];
    }
    moves.push({ long: (lowest / close[at] - 1) * 100, short: (1 - highest / close[at]) * 100 });
  }
  return moves;
}

/** The sums of a period, which may be new; hours come in the order of time. */
function sumsOf({ periods }: LabelSums, period: number): MoveSums {
  if (periods.at(-1)?.period !== period) periods.push({ period, sums: emptySums() });
  return periods.at(-1)!.sums;
}

const emptySums = (): MoveSums => ({ long: emptySide(), short: emptySide() });

const emptySide = () =>
  calibrationHours.map(
    () =>
      Object.fromEntries(labelsByRisk.map((label) => [label, { count: 0, sum: 0 }])) as MoveSums['long'][0],
  );

/** The sums of several assets: periods of the same time are one, because markets move together. */
export function mergeLabelSums(assets: readonly LabelSums[]): LabelSums {
  const merged = new Map<number, MoveSums>();
  for (const { period, sums } of assets.flatMap(({ periods }) => periods)) {
    const total = merged.get(period) ?? emptySums();
    merged.set(period, total);
    for (const side of tradeSides)
      total[side].forEach((labels, n) => {
        for (const label of labelsByRisk) {
          labels[label].count += sums[side][n][label].count;
          labels[label].sum += sums[side][n][label].sum;
        }
      });
  }
  const ends = (pick: (...values: number[]) => number, values: (number | null)[]) => {
    const present = values.filter((value) => value !== null);
    return present.length === 0 ? null : pick(...present);
  };
  return {
    fromMs: ends(
      Math.min,
      assets.map(({ fromMs }) => fromMs),
    ),
    toMs: ends(
      Math.max,
      assets.map(({ toMs }) => toMs),
    ),
    periods: [...merged].map(([period, sums]) => ({ period, sums })).sort((a, b) => a.period - b.period),
  };
}
