import { defineAnalysis } from '../analysis.js';
import { isStill, stillCandles } from '../market/is-still.js';
import { findPriceLevels } from '../market/price-levels.js';
import { readAt, readAtFields } from '../market/read-at.js';
import { requireCandles } from '../market/require-candles.js';
import type { Candles } from '../model/candles.js';
import { fieldError } from '../model/errors.js';
import { field, type Value } from '../model/field.js';
import { tradeSides, type TradeSide } from '../model/risk-assessment.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { planStop, plannedStop, type PlannedStop } from './planned-stop.js';
import { findObstacles, obstacle, plannedTarget, planTarget } from './planned-target.js';

/** The fewest closed candles that a plan needs. */
const tradeLevelCandles = 60;

/** The usual distance of a stop from the entry by style, in ATR(14). */
const stopLengths = { tight: 1, normal: 2, wide: 3 } as const;

export const riskStyles = ['tight', 'normal', 'wide'] as const;

export type RiskStyle = (typeof riskStyles)[number];

/** The settings of a plan. */
export interface TradeLevelParams {
  side: TradeSide;
  /** In quote units; null: the last close. */
  entry: number | null;
  riskStyle: RiskStyle;
  /** The number of targets, 1 to 6. */
  targets: number;
}

/** The reach of the entry range towards the stop and towards the targets, as a share of the usual stop distance. */
const entryTowardsStop = 0.125;
const entryTowardsTargets = 0.0625;

/** An entry more than this many ATR from the last close gets a note. */
const farEntry = 3;

const tradePlan = field.object('a plan of a trade', {
  ...readAtFields,
  side: field.choice('side of the trade', tradeSides),
  riskStyle: field.choice('usual distance of the stop: 1, 2 or 3 ATR', riskStyles),
  atr: field.number('ATR(14)', { unit: 'quote' }),
  entry: field.object('the entry', {
    price: field.number('entry price that the plan is made for', { unit: 'quote' }),
    min: field.number('lower end of the entry range', { unit: 'quote' }),
    max: field.number('upper end of the entry range', { unit: 'quote' }),
    distancePercent: field.number(
      'distance from the last close, in percent of that close; negative below it',
    ),
  }),
  stop: plannedStop,
  targets: field.list('the targets, the nearest first', plannedTarget),
  obstacles: field.list(
    'at most three levels between the entry and the first target where price may turn, the nearest first',
    obstacle,
  ),
  notes: field.list('what is unusual about the plan', field.text('a sentence')),
});

export type TradePlan = Value<typeof tradePlan>;

export const tradeLevels = defineAnalysis({
  name: 'trade-levels',
  title: 'Plan trade levels',
  summary:
    'Candidate entry range, stop and up to 6 targets of a trade from ATR and market structure, with multiples of the risk. No advice, and no order is placed.',
  needs: 'series',
  params: {
    side: field.choice('side of the trade', tradeSides, { default: 'long' }),
    entry: field.nullable(
      field.decimal('entry price; null: the last close', { unit: 'quote', isPositive: true }),
      { default: null },
    ),
    riskStyle: field.choice('usual distance of the stop: 1, 2 or 3 ATR', riskStyles, { default: 'normal' }),
    targets: field.integer('number of targets', { min: 1, max: 6, default: 3 }),
  },
  output: tradePlan,
  scope: 'public',
  cost: 2,
  run({ params, ...series }, scratch) {
    const entry = params.entry === null ? null : Number(params.entry);
    return planTradeLevels({ ...series, params: { ...params, entry } }, scratch);
  },
});

/**
 * Entry range, stop and targets of a trade from ATR and market structure. A short mirrors a long.
 * - The stop is 1, 2 or 3 ATR(14) from the entry (tight, normal, wide). If a confirmed swing allows a stop a quarter of
 *   an ATR behind it at 0.75 to 1.5 times that distance, the stop is there; of several swings, the one that keeps
 *   closest to the distance counts.
 * - Target n is n times the risk R from the entry. If a level (see `findPriceLevels`) is near, the target is a tenth of
 *   an ATR before the nearest such level: at most 0.25 R short of n R, or 0.5 R beyond it.
 * The order for a long is stop < range < targets, ascending. The range has more room towards the stop, where the price
 * is better. Throws `not_enough_history`; `invalid_input` for an entry that is no price, for a price that has not moved,
 * and for a stop that would be at or below 0.
 */
export function planTradeLevels(
  question: SeriesQuestion<TradeLevelParams>,
  scratch = new ScratchBuffers(),
): TradePlan {
  requireCandles('a plan of trade levels', question, tradeLevelCandles);
  const at = readAt(question);
  const { side, riskStyle, entry: given } = question.params;
  const entry = given ?? at.price;
  checkEntry(entry, question.candles);
  const structure = findPriceLevels(question, scratch);
  const { atr } = structure;
  const way = side === 'long' ? 1 : -1;
  const length = stopLengths[riskStyle] * atr;
  const stop = planStop(entry, way, length, structure, question.candles.time);
  const [better, worse] = [
    entry - way * entryTowardsStop * length,
    entry + way * entryTowardsTargets * length,
  ];
  checkPrices({ side, riskStyle, entry, better, worse, stop: stop.price });
  const risk = Math.abs(entry - stop.price);
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

function checkEntry(entry: number, candles: Candles): void {
  if (!(entry > 0 && Number.isFinite(entry)))
    throw fieldError('entry', `an entry must be a price above 0, found ${entry}`);
  if (isStill(candles))
    throw fieldError('asset', `price has not moved for ${stillCandles} candles: no range to plan with`);
}

/** The prices of a plan before its targets: `better` and `worse` are the ends of the entry range. */
interface PlannedPrices {
  side: TradeSide;
  riskStyle: RiskStyle;
  entry: number;
  better: number;
  worse: number;
  stop: number;
}

function checkPrices({ side, riskStyle, entry, better, worse, stop }: PlannedPrices): void {
  if (!(Math.min(better, stop) > 0))
    throw fieldError(
      'riskStyle',
      `a ${riskStyle} stop would lie at or below 0: the range is too wide for the entry`,
    );
  if (!(worse > 0))
    throw fieldError(
      'riskStyle',
      `the entry range of a ${riskStyle} ${side} would reach 0: the ATR is too large for the entry`,
    );
  if (!(Math.abs(entry - stop) > entry * 1e-12))
    throw fieldError('entry', `an entry of ${entry} is too far from the price for a stop by its range`);
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
