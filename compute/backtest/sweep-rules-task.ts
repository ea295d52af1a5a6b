import { firstCandleFrom, type Candles } from '../model/candles.js';
import { candlesPerYear, type ResearchInterval } from '../model/interval.js';
import { ignoreProgress, reportPart } from '../model/progress.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { StrategyJson } from '../rules/canonical-rules.js';
import { decideRules } from '../rules/decide-rules.js';
import { parseStrategy } from '../rules/parse-strategy.js';
import { RuleColumns } from '../rules/rule-columns.js';
import { defineTask, type SeriesQuestion } from '../task.js';
import { checkDecisions, checkRun } from './check-rules.js';
import { sweepRange, type SweepChunk, type SweepMeasure } from './sweep.js';
import { accountOf, candlesUntil, type RuleSettings } from './trade-rules-task.js';
import { tradeRules, type RuleRun } from './trade-rules.js';

/** Some combinations of a sweep of rules. */
export interface RuleSweepParams {
  /** The rules with their parameters. */
  strategy: StrategyJson;
  settings: RuleSettings;
  combinations: Record<string, number>[];
  /** The place of the first of them in the sweep, and how many are tried in all. */
  first: number;
  tried: number;
  /** The window of all combinations, from where the slowest of them is ready. */
  fromMs: number;
  rankBy: SweepMeasure;
  keep: number;
  /** Seed of the look-ahead check of every combination; null: none. */
  checkSeed: number | null;
}

/** Trades combinations of parameters of rules, each as a single backtest of the window does. Throws `look_ahead`. */
export const sweepRulesTask = defineTask({
  name: 'sweep-rules',
  phases: ['backtest', 'check'],
  run(
    { candles, interval, params }: SeriesQuestion<RuleSweepParams, ResearchInterval>,
    scratch = new ScratchBuffers(),
    onProgress = ignoreProgress,
  ): SweepChunk {
    const { combinations, first, fromMs, settings, rankBy, keep, tried, checkSeed } = params;
    const decide = ruleDecider(candles, interval, params.strategy, settings);
    const known = candlesUntil(candles, interval, settings.toMs);
    const swept = {
      combinationAt: (index: number) => combinations[index - first],
      trade: (values: Record<string, number>, scratch: ScratchBuffers) =>
        decide(values).trade(fromMs, scratch),
      rankBy,
      keep,
      perYear: candlesPerYear(interval),
      allowed: tried,
      returns: known.time.length - firstCandleFrom(known.time, fromMs) - 1,
    };
    const range = { from: first, to: first + combinations.length };
    const share = checkSeed === null ? 1 : 0.1;
    const chunk = sweepRange(swept, range, scratch, reportPart(onProgress, 0, share));
    if (checkSeed !== null)
      for (const [n, values] of combinations.entries()) {
        onProgress('check', share + ((1 - share) * n) / combinations.length);
        const { decisions, rules, account, trade } = decide(values);
        const run = trade(fromMs, new ScratchBuffers());
        const decider = { rules, rankBy: null, interval };
        checkDecisions(decider, candles, decisions, checkSeed + n, scratch);
        checkRun(decider, [{ candles: known, decisions }], account, run, checkSeed + n, scratch);
      }
    return chunk;
  },
});

/** The most memory for columns that combinations share, in values. */
const mostShared = 16_000_000;

/**
 * Decides by rules with any values of their parameters on one series. Combinations share the columns that they have in common;
 * what is decided holds until the next call.
 */
export function ruleDecider(
  candles: Candles,
  interval: ResearchInterval,
  strategy: StrategyJson,
  settings: RuleSettings,
) {
  const shared = new ScratchBuffers();
  const answers = new ScratchBuffers();
  let columns = new RuleColumns(candles, interval, shared);
  let taken = 0;
  return (values: Record<string, number>) => {
    const rules = parseStrategy(strategy, { interval, params: values });
    taken += 3 * (rules.columns.length + 3) * candles.time.length;
    if (taken > mostShared) {
      shared.clear();
      columns = new RuleColumns(candles, interval, shared);
      taken = 0;
    }
    const decisions = decideRules(rules, null, columns, candles.time.length, answers);
    const account = accountOf(rules, settings, interval);
    const trade = (fromMs: number, scratch: ScratchBuffers, toMs = settings.toMs): RuleRun =>
      tradeRules([{ candles: candlesUntil(candles, interval, toMs), decisions }], account, fromMs, scratch);
    return { rules, decisions, account, trade };
  };
}
