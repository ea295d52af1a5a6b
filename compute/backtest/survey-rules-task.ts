import { firstCandleFrom } from '../model/candles.js';
import type { ResearchInterval } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { Candles } from '../model/candles.js';
import type { StrategyJson } from '../rules/canonical-rules.js';
import { decideRulesAlone } from '../rules/decide-rules.js';
import { parseStrategy } from '../rules/parse-strategy.js';
import { warmupOf } from '../rules/warmup-of.js';
import { defineTask, type SeriesQuestion } from '../task.js';
import { researchWindow } from './research-window.js';
import { candlesUntil, type RuleSettings } from './trade-rules-task.js';

export interface RuleSurveyParams {
  strategy: StrategyJson;
  settings: RuleSettings;
  combinations: Record<string, number>[];
  asset: string;
}

/** The window that all combinations of a sweep have in common. */
export interface RuleSurvey {
  fromMs: number;
  /** Index of its first candle, and how many it has. */
  first: number;
  candles: number;
  /** Open time of its last candle. */
  lastMs: number;
  /** Why it starts later than asked; null: it does not. */
  note: string | null;
}

/** Reads every combination of rules, and finds the window from where the slowest is ready. Throws `invalid_input`, `not_enough_history`. */
export const surveyRulesTask = defineTask({
  name: 'survey-rules',
  run: (
    { candles, interval, params }: SeriesQuestion<RuleSurveyParams, ResearchInterval>,
    scratch = new ScratchBuffers(),
  ): RuleSurvey => surveyRules(candles, interval, params, scratch),
});

export function surveyRules(
  candles: Candles,
  interval: ResearchInterval,
  { strategy, settings, combinations, asset }: RuleSurveyParams,
  scratch: ScratchBuffers,
): RuleSurvey {
  let slowest = parseStrategy(strategy, { interval, params: combinations[0] });
  for (const params of combinations.slice(1)) {
    const rules = parseStrategy(strategy, { interval, params });
    if (warmupOf(rules, interval) > warmupOf(slowest, interval)) slowest = rules;
  }
  const known = candlesUntil(candles, interval, settings.toMs);
  const decisions = decideRulesAlone(slowest, null, candles, interval, scratch);
  const { fromMs, note } = researchWindow([{ asset, candles: known, decisions }], interval, settings.fromMs);
  const first = firstCandleFrom(known.time, fromMs);
  return {
    fromMs,
    first,
    candles: known.time.length - first,
    lastMs: known.time[known.time.length - 1],
    note,
  };
}
