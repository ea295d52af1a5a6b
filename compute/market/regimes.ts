import { meanInterval, type MeanInterval } from '../metrics/mean-interval.js';
import type { Candles } from '../model/candles.js';
import { slideRanks } from '../rolling/slide-ranks.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';

/** How unrested a pair is for its own measure. */
export const regimes = ['calm', 'normal', 'stressed'] as const;

export type Regime = (typeof regimes)[number];

/** Calm is below the first percentile of the measure, stressed from the second on. */
export const regimeThresholds = { calmBelow: 30, stressedFrom: 80 } as const;

/** With how many candles, itself included, each is compared; and how many of them there must be at least. */
export const rankedCandles = 720;
export const fewestRanked = 100;

/** How much of the past the shares and lengths of regimes are taken of. */
const historyCandles = 8760;

export interface RegimeHistory {
  /** Null before there are enough candles to compare with. */
  now: Regime | null;
  /** Percentile rank of the measure on the last candle, 0 to 100; and among how many candles. */
  percentile: number | null;
  percentileCandles: number;
  thresholds: typeof regimeThresholds;
  /** Open time of the first candle of the regime that holds, in ms, UTC, and how many candles it has lasted. */
  since: number | null;
  lasted: number;
  /** How many candles of the past have a regime, and open time of the first. */
  candles: number;
  from: number | null;
  shares: RegimeShare[];
}

/** How common a regime has been. */
export interface RegimeShare {
  regime: Regime;
  /** Share of the candles, in percent. */
  percent: number | null;
  /** How long it lasted, in candles, over the times that it both began and ended within that past. */
  length: MeanInterval;
}

/**
 * The regime of a pair by the percentile rank of a measure of its unrest (ATR in percent of price, say) among its last
 * 720 candles, and how it was over the last 8,760 that have one. `first` is the index of the first value. A regime once
 * given to a candle stays.
 */
export function followRegimes(
  { time }: Candles,
  unrest: Float64Array,
  first: number,
  scratch: ScratchBuffers,
): RegimeHistory {
  const { length } = unrest;
  const from = Math.max(first + fewestRanked - 1, length - historyCandles);
  const ranks = scratch.column(length);
  slideRanks(unrest, { first, from, window: rankedCandles }, ranks);
  const spells = spellsOf(ranks, from);
  const last = spells.at(-1);
  const known = Math.max(0, length - from);
  return {
    now: last?.regime ?? null,
    percentile: known > 0 ? ranks[length - 1] : null,
    percentileCandles: Math.min(rankedCandles, Math.max(0, length - first)),
    thresholds: regimeThresholds,
    since: last ? time[last.start] : null,
    lasted: last?.length ?? 0,
    candles: known,
    from: known > 0 ? time[from] : null,
    shares: regimes.map((regime) => shareOf(regime, spells, known)),
  };
}

/** Candles in a row that have the same regime. */
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
    // The first may have begun earlier, and the last goes on.
    length: meanInterval(lengths(spells.slice(1, -1))),
  };
}
