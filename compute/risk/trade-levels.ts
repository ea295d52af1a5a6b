import { isStill, stillCandles } from '../market/is-still.js';
import { findPriceLevels, type PriceLevel, type PriceLevels } from '../market/price-levels.js';
import { readAt, type ReadAt } from '../market/read-at.js';
import { requireCandles } from '../market/require-candles.js';
import { AppError } from '../model/errors.js';
import type { TradeSide } from '../model/risk-assessment.js';
import { Room } from '../model/room.js';
import type { SeriesQuestion } from '../task.js';

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

/** Within which multiples of its usual length a stop may move behind a swing, and how far behind, in ATR. */
const stopReach = [0.75, 1.5] as const;
const behindSwing = 0.25;

/** How far before and behind its multiple of R a target may move to a level, in R; and how far it stays before that, in ATR. */
const targetReach = [0.25, 0.5] as const;
const beforeLevel = 0.1;

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
  obstacles: { price: number; kind: PriceLevel['kind']; name: string; r: number }[];
  /** What is unusual about the plan. */
  notes: string[];
}

export interface PlannedStop {
  price: number;
  /** Behind a confirmed swing, or so many ATR away for want of one in reach. */
  basis: 'swing' | 'atr';
  /** Open time, in ms, UTC, of the swing that it lies behind. */
  swingTime: number | null;
  /** How far it lies from the entry: in percent of that, and in ATR; both positive. */
  riskPercent: number;
  riskAtr: number;
}

export interface PlannedTarget {
  price: number;
  /** The kind of level it lies before, or the plain multiple of the risk. */
  basis: PriceLevel['kind'] | 'r';
  level: string | null;
  /** Gain over risk, from the entry; and from the worst price of the entry range. */
  r: number;
  worstR: number;
  /** Gain in percent of the entry. */
  gainPercent: number;
  /** How often, in percent, price must reach it before the stop for nothing to be lost, costs aside: 100 / (1 + r). */
  breakEvenPercent: number;
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
export function planTradeLevels(question: SeriesQuestion<TradeLevelParams>, room = new Room()): TradePlan {
  requireCandles('a plan of trade levels', question, tradeLevelCandles);
  const at = readAt(question);
  const { side, riskStyle, entry: given } = question.params;
  const entry = given ?? at.price;
  if (!(entry > 0 && Number.isFinite(entry)))
    refuse('entry', `an entry must be a price above 0, found ${entry}`);
  if (isStill(question.candles))
    refuse('asset', `price has not moved for ${stillCandles} candles: no range to plan with`);
  const structure = findPriceLevels(question, room);
  const { atr } = structure;
  const way = side === 'long' ? 1 : -1;
  const length = stopLengths[riskStyle] * atr;
  const stop = stopOf(entry, way, length, structure, question.candles.time);
  const [better, worse] = [
    entry - way * entryTowardsStop * length,
    entry + way * entryTowardsTargets * length,
  ];
  if (!(Math.min(better, stop.price) > 0))
    refuse('riskStyle', `a ${riskStyle} stop would lie at or below 0: the range is too wide for the entry`);
  const risk = Math.abs(entry - stop.price);
  const wanted = Array.from({ length: question.params.targets }, (_, n) => n + 1);
  const all = wanted.map((multiple) =>
    targetOf(multiple, { entry, way, risk, worse, stop: stop.price }, structure),
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
    obstacles: obstaclesBefore(targets.at(0)?.price ?? 0, { entry, way, risk }, structure),
    notes: notesOf(distance / atr, all.length - targets.length, stop),
  };
}

function refuse(field: string, message: string): never {
  throw new AppError('invalid_input', message, { details: { field } });
}

function stopOf(
  entry: number,
  way: 1 | -1,
  length: number,
  { atr, swings }: PriceLevels,
  time: Float64Array,
): PlannedStop {
  const [least, most] = stopReach;
  const inReach = swings
    .filter(({ kind }) => (kind === 'low') === way > 0)
    .map(({ price, index }) => ({ distance: way * (entry - price) + behindSwing * atr, index }))
    .filter(({ distance }) => distance >= least * length && distance <= most * length)
    .sort((a, b) => Math.abs(a.distance - length) - Math.abs(b.distance - length) || a.distance - b.distance);
  const swing = inReach.at(0);
  const distance = swing?.distance ?? length;
  return {
    price: entry - way * distance,
    basis: swing ? 'swing' : 'atr',
    swingTime: swing ? time[swing.index] : null,
    riskPercent: (distance / entry) * 100,
    riskAtr: distance / atr,
  };
}

/** A trade as its targets see it; `way` is 1 for a long and -1 for a short. */
interface Trade {
  entry: number;
  way: 1 | -1;
  risk: number;
}

function targetOf(
  multiple: number,
  { entry, way, risk, worse, stop }: Trade & { worse: number; stop: number },
  { atr, levels }: PriceLevels,
): PlannedTarget {
  const [short, beyond] = targetReach;
  const level = levels
    .map((each) => ({ ...each, gain: way * (each.price - entry) - beforeLevel * atr }))
    .filter(({ gain }) => gain > (multiple - short) * risk && gain < (multiple + beyond) * risk)
    .sort(
      (a, b) => Math.abs(a.gain - multiple * risk) - Math.abs(b.gain - multiple * risk) || a.gain - b.gain,
    )
    .at(0);
  const gain = level?.gain ?? multiple * risk;
  const price = entry + way * gain;
  return {
    price,
    basis: level?.kind ?? 'r',
    level: level?.name ?? null,
    r: gain / risk,
    worstR: (way * (price - worse)) / (way * (worse - stop)),
    gainPercent: (gain / entry) * 100,
    breakEvenPercent: 100 / (1 + gain / risk),
  };
}

function obstaclesBefore(
  target: number,
  { entry, way, risk }: Trade,
  { atr, levels }: PriceLevels,
): TradePlan['obstacles'] {
  const room = way * (target - entry);
  return levels
    .map(({ price, kind, name }) => ({ price, kind, name, r: (way * (price - entry)) / risk }))
    .filter(({ r }) => r > 0 && r * risk < room - beforeLevel * atr)
    .sort((left, right) => left.r - right.r)
    .slice(0, 3);
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
