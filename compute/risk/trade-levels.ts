import { isStill, stillCandles } from '../market/is-still.js';
import { findPriceLevels } from '../market/price-levels.js';
import { readAt, type ReadAt } from '../market/read-at.js';
import { requireCandles } from '../market/require-candles.js';
import { AppError } from '../model/errors.js';
import type { TradeSide } from '../model/risk-assessment.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { planStop, type PlannedStop } from './planned-stop.js';
import { findObstacles, planTarget, type Obstacle, type PlannedTarget } from './planned-target.js';

/** How many closed candles a plan needs at least. */
export const tradeLevelCandles = 60;

/** How far a stop usually lies from the entry, in ATR(14), by style. */
const stopLengths = { tight: 1, normal: 2, wide: 3 } as const;

export const riskStyles = ['tight', 'normal', 'wide'] as const;

export type RiskStyle = (typeof riskStyles)[number];

export interface TradeLevelParams {
  side: TradeSide;
  /** In quote units; null for the last close. */
  entry: number | null;
  riskStyle: RiskStyle;
  /** How many, 1 to 6. */
  targets: number;
}

/** Of the usual length of a stop: how far the entry range reaches towards the stop, and towards the targets. */
const entryTowardsStop = 0.125;
const entryTowardsTargets = 0.0625;

/** From how far away, in ATR, an entry is worth a note. */
const farEntry = 3;

export interface TradePlan extends ReadAt {
  side: TradeSide;
  riskStyle: RiskStyle;
  /** ATR(14) in quote units. */
  atr: number;
  entry: {
    price: number;
    /** The range in which to enter: more room towards the stop, where the price is better. */
    min: number;
    max: number;
    /** How far the entry lies above (or, negative, below) the last close, in percent of it. */
    distancePercent: number;
  };
  stop: PlannedStop;
  targets: PlannedTarget[];
  /** Levels between the entry and the first target at which price may turn before, nearest first, at most three. */
  obstacles: Obstacle[];
  /** What is unusual about the plan. */
  notes: string[];
}

/**
 * Entry range, stop and targets of a trade from ATR and market structure; a short is a long turned over. Not advice.
 * - The stop lies 1, 2 or 3 ATR(14) from the entry (tight, normal, wide): a quarter of an ATR behind the confirmed swing
 *   that brings it nearest to that length, if one does so within 0.75 to 1.5 times of it; else at that length.
 * - Target n lies n times the risk R away; where there is a level (see `findPriceLevels`) such that a tenth of an ATR
 *   before it is less than 0.25 R short of that or 0.5 R beyond, the target lies there, before the nearest such level.
 * For a long stop < range < targets, ascending. Throws `not_enough_history`; `invalid_input` for an entry that is no
 * price, for a price that has not moved, and for a stop that would not be above 0.
 */
export function planTradeLevels(
  question: SeriesQuestion<TradeLevelParams>,
  scratch = new ScratchBuffers(),
): TradePlan {
  requireCandles('a plan of trade levels', question, tradeLevelCandles);
  const at = readAt(question);
  const { side, riskStyle, entry: given } = question.params;
  const entry = given ?? at.price;
  if (!(entry > 0 && Number.isFinite(entry)))
    refuse('entry', `an entry must be a price above 0, found ${entry}`);
  if (isStill(question.candles))
    refuse('asset', `price has not moved for ${stillCandles} candles: no range to plan with`);
  const structure = findPriceLevels(question, scratch);
  const { atr } = structure;
  const way = side === 'long' ? 1 : -1;
  const length = stopLengths[riskStyle] * atr;
  const stop = planStop(entry, way, length, structure, question.candles.time);
  const [better, worse] = [
    entry - way * entryTowardsStop * length,
    entry + way * entryTowardsTargets * length,
  ];
  if (!(Math.min(better, stop.price) > 0))
    refuse('riskStyle', `a ${riskStyle} stop would lie at or below 0: the range is too wide for the entry`);
  const risk = Math.abs(entry - stop.price);
  if (!(risk > entry * 1e-12))
    refuse('entry', `an entry of ${entry} is too far from the price for a stop by its range`);
  const wanted = Array.from({ length: question.params.targets }, (_, n) => n + 1);
  const all = wanted.map((multiple) =>
    planTarget(multiple, { entry, way, risk, worse, stop: stop.price }, structure),
  );
  const targets = all.filter(({ price }) => price > 0);
  const distance = entry - at.price;
  return {
    ...at,
    side,
    riskStyle,
    atr,
    entry: {
      price: entry,
      min: Math.min(better, worse),
      max: Math.max(better, worse),
      distancePercent: (distance / at.price) * 100,
    },
    stop,
    targets,
    obstacles: findObstacles(targets.at(0)?.price ?? 0, { entry, way, risk }, structure),
    notes: notesOf(distance / atr, all.length - targets.length, stop),
  };
}

function refuse(field: string, message: string): never {
  throw new AppError('invalid_input', message, { details: { field } });
}

function notesOf(entryAtr: number, dropped: number, stop: PlannedStop): string[] {
  const notes: string[] = [];
  if (Math.abs(entryAtr) > farEntry)
    notes.push(
      `the entry is ${Math.abs(entryAtr).toFixed(1)} ATR ${entryAtr > 0 ? 'above' : 'below'} the last close`,
    );
  if (dropped > 0) notes.push(`${dropped} of the targets would lie at or below 0 and are left out`);
  if (stop.basis === 'atr') notes.push('no confirmed swing is in reach: the stop rests on ATR alone');
  return notes;
}
