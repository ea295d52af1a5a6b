import type { Candles } from '../model/candles.js';
import type { ResearchInterval } from '../model/interval.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { ConditionJudge, wordsOf } from './judge-condition.js';
import { RuleColumns } from './rule-columns.js';
import type { RuleColumn } from './rule-column.js';
import { atrPeriodsOf, type StrategyRules } from './strategy-rules.js';

/** What is decided on the close of a candle, as bits: conditions that are true, and whether every column has a value. */
export const decision = { longEntry: 1, longExit: 2, shortEntry: 4, shortExit: 8, ready: 16 } as const;

/** The decisions of rules on every candle of a series, and the columns that set sizes and levels. */
export interface RuleDecisions {
  bits: Uint8Array;
  /** ATR by period, of the levels. */
  atr: Record<number, Float64Array>;
  /** The column that entries of one open are ranked by; null: none. */
  rank: Float64Array | null;
  /** The column whose first value is the last, and the candle of that; a column without any value: -1. */
  slowest: { name: string; at: number };
}

/**
 * Decides on every candle from the columns, which may be shared with other rules on the same candles. `scratch` is for what only
 * lasts for this call.
 */
export function decideRules(
  rules: StrategyRules,
  rankBy: RuleColumn | null,
  columns: RuleColumns,
  length: number,
  scratch: ScratchBuffers,
): RuleDecisions {
  // In whole words, as answers of conditions.
  const bits = new Uint8Array(new ArrayBuffer(Math.ceil(length / 4) * 4), 0, length);
  const atr: Record<number, Float64Array> = {};
  for (const period of atrPeriodsOf(rules)) atr[period] = columns.atr(period);
  const slowest = markReady(rules, columns, atr, bits);
  const { long, short } = rules;
  const sides = [
    [long?.entry, decision.longEntry],
    [long?.exit, decision.longExit],
    [short?.entry, decision.shortEntry],
    [short?.exit, decision.shortExit],
  ] as const;
  const words = wordsOf(bits);
  scratch.within(() => {
    const judge = new ConditionJudge(columns, length, scratch);
    for (const [condition, bit] of sides) {
      if (!condition) continue;
      const judged = judge.judge(condition);
      // Only what is true has the second bit.
      for (let i = 0; i < words.length; i++) words[i] |= ((judged[i] >> 1) & 0x01010101) * bit;
    }
  });
  return { bits, atr, rank: rankBy && columns.column(rankBy), slowest };
}

/** Marks the candles on which every column has a value. */
function markReady(
  rules: StrategyRules,
  columns: RuleColumns,
  atr: Record<number, Float64Array>,
  bits: Uint8Array,
): RuleDecisions['slowest'] {
  const { length } = bits;
  bits.fill(decision.ready);
  let slowest = { name: 'close', at: 0 };
  const needValue = (name: string, column: Float64Array) => {
    let first = 0;
    while (first < length && Number.isNaN(column[first])) first++;
    bits.fill(0, 0, first);
    clearWithoutValue(column, first, bits);
    const at = first < length ? first : -1;
    if (slowest.at >= 0 && (at < 0 || at > slowest.at)) slowest = { name, at };
  };
  for (const column of rules.columns) needValue(column.name, columns.column(column));
  for (const [period, column] of Object.entries(atr)) needValue(`atr_${period}`, column);
  if (rules.size?.kind === 'volatilityPercent') {
    const { period } = rules.size;
    bits.fill(0, 0, period);
    const at = period < length ? period : -1;
    if (slowest.at >= 0 && (at < 0 || at > slowest.at))
      slowest = { name: `the standard deviation of ${period} returns`, at };
  }
  return slowest;
}

/** Four candles at a time: their sum is a number if each is. */
function clearWithoutValue(column: Float64Array, from: number, bits: Uint8Array): void {
  const { length } = bits;
  for (let i = from; i < length; i += 4) {
    if (i + 3 < length && !Number.isNaN(column[i] + column[i + 1] + column[i + 2] + column[i + 3])) continue;
    for (let n = i; n < Math.min(i + 4, length); n++) if (Number.isNaN(column[n])) bits[n] = 0;
  }
}

/** The decisions on candles whose columns are used once. */
export const decideRulesAlone = (
  rules: StrategyRules,
  rankBy: RuleColumn | null,
  candles: Candles,
  interval: ResearchInterval,
  scratch: ScratchBuffers,
): RuleDecisions =>
  decideRules(rules, rankBy, new RuleColumns(candles, interval, scratch), candles.time.length, scratch);
