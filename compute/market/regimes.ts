import { meanInterval, meanIntervalField } from '../metrics/mean-interval.js';
import type { Candles } from '../model/candles.js';
import { field, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';
import { slideRanks } from '../rolling/slide-ranks.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';

/** How volatile a pair is against its own past. */
export const regimes = ['calm', 'normal', 'stressed'] as const;

export type Regime = (typeof regimes)[number];

/** Percentiles: calm below the first, stressed from the second on. */
const regimeThresholds = { calmBelow: 30, stressedFrom: 80 } as const;

/** A candle is ranked among `rankedCandles` at most, itself included, and needs `fewestRanked`. */
export const rankedCandles = 720;
export const fewestRanked = 100;

/** The last candles from which shares and lengths of regimes are computed. */
const historyCandles = 8760;

const regimeShare = field.object('how common a regime has been', {
  regime: field.choice('the regime', regimes),
  percent: field.nullable(field.number('share of the candles', { unit: 'percent' })),
  length: meanIntervalField('length of those spells that both began and ended in that past', 'candles'),
});

export type RegimeShare = Value<typeof regimeShare>;

const percentile = (text: string) => field.number(text, { min: 0, max: 100 });

export const regimeField = (measure: string) =>
  field.object(`the regime by the percentile rank of ${measure}`, {
    now: field.nullable(field.choice('regime of the last candle; null before 100 candles', regimes)),
    percentile: field.nullable(percentile('percentile rank of the last candle, 0 to 100')),
    percentileCandles: field.count('candles that it is ranked among', { unit: 'candles' }),
    thresholds: field.object('where regimes begin and end', {
      calmBelow: percentile('percentile below which it is calm'),
      stressedFrom: percentile('percentile from which it is stressed'),
    }),
    since: field.nullable(field.time('open time of the first candle of the present regime')),
    lasted: field.count('how long the present regime has lasted', { unit: 'candles' }),
    candles: field.count('candles of the past that have a regime', { unit: 'candles' }),
    from: field.nullable(field.time('open time of the first of these candles')),
    reason: nullReason,
    shares: field.list('one for each regime', regimeShare),
  });

export type RegimeHistory = Value<ReturnType<typeof regimeField>>;

/**
 * The regime of a pair by the percentile rank of a volatility measure, such as ATR / close, among its last 720 candles,
 * and the regimes of the last 8,760 candles. `first` is the index of the first value. The regime of a candle does not
 * change when later candles close.
 */
export function followRegimes(
  { time }: Candles,
  measure: Float64Array,
  first: number,
  scratch: ScratchBuffers,
): RegimeHistory {
  const { length } = measure;
  const from = Math.max(first + fewestRanked - 1, length - historyCandles);
  const ranks = scratch.column(length);
  slideRanks(measure, { first, from, window: rankedCandles }, ranks);
  const spells = spellsOf(ranks, from);
  const last = spells.at(-1);
  const known = Math.max(0, length - from);
  return {
    now: last?.regime ?? null,
    percentile: known > 0 ? ranks[length - 1] : null,
    percentileCandles: Math.min(rankedCandles, Math.max(0, length - first)),
    thresholds: { ...regimeThresholds },
    since: last ? time[last.start] : null,
    lasted: last?.length ?? 0,
    candles: known,
    from: known > 0 ? time[from] : null,
    reason: known > 0 ? null : tooFewRanked(Math.max(0, length - first)),
    shares: regimes.map((regime) => shareOf(regime, spells, known)),
  };
}

/** Why there is no percentile among so many candles. */
export const tooFewRanked = (found: number): string =>
  `a percentile needs ${fewestRanked} candles, found ${found}`;

/** Consecutive candles of the same regime. */
interface Spell {
  regime: Regime;
  start: number;
  length: number;
}

function spellsOf(ranks: Float64Array, from: number): Spell[] {
  const spells: Spell[] = [];
  for (let i = from; i < ranks.length; i++) {
    const regime = regimeOf(ranks[i]);
    const spell = spells.at(-1);
    if (spell?.regime === regime) spell.length++;
    else spells.push({ regime, start: i, length: 1 });
  }
  return spells;
}

function regimeOf(percentile: number): Regime {
  if (percentile < regimeThresholds.calmBelow) return 'calm';
  return percentile < regimeThresholds.stressedFrom ? 'normal' : 'stressed';
}

function shareOf(regime: Regime, spells: readonly Spell[], candles: number): RegimeShare {
  const lengths = (all: readonly Spell[]) =>
    all.filter((spell) => spell.regime === regime).map(({ length }) => length);
  const total = lengths(spells).reduce((sum, length) => sum + length, 0);
  return {
    regime,
    percent: candles > 0 ? (total / candles) * 100 : null,
    // The first spell may have begun earlier, and the last one goes on.
    length: meanInterval(lengths(spells.slice(1, -1))),
  };
}
