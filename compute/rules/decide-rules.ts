import type { Candles } from '../model/candles.js';
import type { ResearchInterval } from '../model/interval.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { judgeCondition } from './judge-condition.js';
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

/** Decides on every candle from the columns, which may be shared with other rules on the same candles. */
export function decideRules(
  rules: StrategyRules,
  rankBy: RuleColumn | null,
  columns: RuleColumns,
  length: number,
): RuleDecisions {
  const bits = new Uint8Array(length);
  const atr: Record<number, Float64Array> = {};
  for (const period of atrPeriodsOf(rules)) atr[period] = columns.atr(period);
  const slowest = markReady(rules, columns, atr, bits);
  const { long, short } = rules;
  for (const [condition, bit] of [
    [long?.entry, decision.longEntry],
    [long?.exit, decision.longExit],
    [short?.entry, decision.shortEntry],
    [short?.exit, decision.shortExit],
  ] as const) {
    if (!condition) continue;
    const judged = judgeCondition(condition, columns, length);
    // Only what is true has the second bit.
    for (let i = 0; i < length; i++) bits[i] |= (judged[i] >> 1) * bit;
  }
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
    for (let i = first; i < length; i++) if (Number.isNaN(column[i])) bits[i] = 0;
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

/** The decisions on candles whose columns are used once. */
export const decideRulesAlone = (
  rules: StrategyRules,
  rankBy: RuleColumn | null,
  candles: Candles,
  interval: ResearchInterval,
  scratch: ScratchBuffers,
): RuleDecisions =>
  decideRules(rules, rankBy, new RuleColumns(candles, interval, scratch), candles.time.length);
