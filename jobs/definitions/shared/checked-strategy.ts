import { hash } from 'node:crypto';
import type { ResearchInterval } from '../../../compute/model/interval.js';
import { canonicalText, filledRules, type StrategyJson } from '../../../compute/rules/canonical-rules.js';
import { parseStrategy } from '../../../compute/rules/parse-strategy.js';
import { rulesInWords } from '../../../compute/rules/rules-in-words.js';
import { warmupOf } from '../../../compute/rules/warmup-of.js';

/** The hash of a strategy that `parseStrategy` accepts: equal rules have equal hashes, however they are spelt. */
export const strategyHash = (strategy: unknown): string => hash('sha256', canonicalText(strategy), 'hex');

/** What a strategy is, once it has been read. */
export interface CheckedStrategy {
  hash: string;
  /** The rules with their parameters filled in, in their one spelling. */
  rules: StrategyJson;
  params: Record<string, number>;
  columns: string[];
  /** Candles before the first decision. */
  warmup: number;
  /** The rules in plain English, a sentence each. */
  words: string[];
}

/** Reads a strategy for candles of an interval. Throws `invalid_input` with the path of the fault. */
export function checkedStrategy(
  strategy: unknown,
  interval: ResearchInterval,
  params: Readonly<Record<string, unknown>> = {},
): CheckedStrategy {
  const rules = parseStrategy(strategy, { interval, params });
  return {
    hash: strategyHash(strategy),
    rules: filledRules(strategy, rules),
    params: rules.values,
    columns: rules.columns.map(({ name }) => name),
    warmup: warmupOf(rules, interval),
    words: rulesInWords(rules),
  };
}
