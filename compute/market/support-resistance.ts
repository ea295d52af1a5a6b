import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import type { PivotPoints } from './pivot-points.js';
import { findPriceLevels, type PriceLevel } from './price-levels.js';
import { readAt, type ReadAt } from './read-at.js';
import { requireCandles } from './require-candles.js';
import type { Swing } from './swings.js';

/** How many closed candles the reading needs at least. */
export const supportCandles = 60;

export interface SupportResistanceParams {
  /** At most so many levels on either side. */
  maxLevels: number;
}

/** A level as seen from the last close. */
export interface SeenLevel extends PriceLevel {
  /** How far it lies above (or, negative, below) the close: in percent of it, and in ATR(14), null where that is 0. */
  distancePercent: number;
  distanceAtr: number | null;
  /** How many other levels lie within a quarter of an ATR of it. */
  confluence: number;
}

export interface SupportResistance extends ReadAt {
  /** ATR(14) in quote units. */
  atr: number;
  /** Levels above the close, and at or below it; the nearest first. */
  above: SeenLevel[];
  below: SeenLevel[];
  pivots: PivotPoints | null;
  /** The move that the Fibonacci levels are taken from. */
  majorSwing: { from: DatedSwing; to: DatedSwing } | null;
  /** How many confirmed swings of the last 500 candles there are. */
  swings: number;
}

/** A swing with the open time of its candle, in ms, UTC. */
export interface DatedSwing {
  kind: Swing['kind'];
  time: number;
  price: number;
}

/** Where price may turn, nearest first; see `findPriceLevels` for what makes a level. Throws `not_enough_history`. */
export function reportSupportResistance(
  question: SeriesQuestion<SupportResistanceParams>,
  scratch = new ScratchBuffers(),
): SupportResistance {
  requireCandles('a reading of support and resistance', question, supportCandles);
  const { time } = question.candles;
  const at = readAt(question);
  const { atr, levels, pivots, majorLeg, swings } = findPriceLevels(question, scratch);
  const dated = ({ kind, index, price }: Swing): DatedSwing => ({ kind, time: time[index], price });
  const seen = levels
    .map((level) => seenFrom(at.price, atr, level, levels))
    .sort((left, right) => Math.abs(left.price - at.price) - Math.abs(right.price - at.price));
  const { maxLevels } = question.params;
  return {
    ...at,
    atr,
    above: seen.filter(({ price }) => price > at.price).slice(0, maxLevels),
    below: seen.filter(({ price }) => price <= at.price).slice(0, maxLevels),
    pivots,
    majorSwing: majorLeg && { from: dated(majorLeg.from), to: dated(majorLeg.to) },
    swings: swings.length,
  };
}

const confluenceReach = 0.25;

function seenFrom(price: number, atr: number, level: PriceLevel, all: readonly PriceLevel[]): SeenLevel {
  const near = all.filter((other) => Math.abs(other.price - level.price) <= confluenceReach * atr);
  return {
    ...level,
    distancePercent: (level.price / price - 1) * 100,
    distanceAtr: atr > 0 ? (level.price - price) / atr : null,
    confluence: near.length - 1,
  };
}
