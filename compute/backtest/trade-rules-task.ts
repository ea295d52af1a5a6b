import { sliceCandles, firstCandleFrom, type Candles } from '../model/candles.js';
import { candlesPerYear, intervalMs, type ResearchInterval } from '../model/interval.js';
import { ignoreProgress } from '../model/progress.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { StrategyJson } from '../rules/canonical-rules.js';
import type { RuleDecisions } from '../rules/decide-rules.js';
import { parseStrategy } from '../rules/parse-strategy.js';
import { parseRank } from '../rules/rule-rank.js';
import type { StrategyRules } from '../rules/strategy-rules.js';
import { defineTask } from '../task.js';
import { checkedCandles, checkedRuns, checkRun } from './check-rules.js';
import type { Costs } from './engine.js';
import { researchWindow } from './research-window.js';
import { reportRules, type ResearchReport } from './rules-report.js';
import { tradeRules, type RuleAccount } from './trade-rules.js';

/** What a run of rules is asked to do, beside rules and candles. */
export interface RuleSettings {
  /** Times in ms; null: the start, or the end, of the history. */
  fromMs: number | null;
  toMs: number | null;
  costs: Costs;
  feeReason: string;
  shortCostPercentPerDay: number;
  initialEquity: number;
  maxPositions: number;
  rankBy: string | null;
}

export interface TradeRulesInput {
  assets: readonly { asset: string; candles: Candles; decisions: RuleDecisions }[];
  interval: ResearchInterval;
  /** The rules with their parameters filled in. */
  strategy: StrategyJson;
  settings: RuleSettings;
  /** Seed of the check of whole runs; null: these rules have passed it on these candles. */
  checkSeed: number | null;
  /** What was asked; repeated in the output. */
  about?: object;
}

const dayMs = 86_400_000;

/** The account of a run. */
export const accountOf = (
  rules: StrategyRules,
  { costs, shortCostPercentPerDay, initialEquity, maxPositions, rankBy }: RuleSettings,
  interval: ResearchInterval,
): RuleAccount => ({
  rules,
  costs,
  carryRate: ((shortCostPercentPerDay / 100) * intervalMs(interval)) / dayMs,
  initialEquity,
  maxPositions,
  ranksHighest: rankBy !== null && parseRank(rankBy, interval).ranksHighest,
  perYear: candlesPerYear(interval),
});

/** The candles that had closed by a time; null: all. */
export const candlesUntil = (candles: Candles, interval: ResearchInterval, toMs: number | null): Candles => {
  if (toMs === null) return candles;
  return sliceCandles(candles, 0, firstCandleFrom(candles.time, toMs - intervalMs(interval) + 1));
};

/** Trades the decisions of rules in the window that is asked for. Throws `not_enough_history`. */
export function tradeWindow(
  { interval, settings, ...input }: Pick<TradeRulesInput, 'assets' | 'interval' | 'strategy' | 'settings'>,
  scratch: ScratchBuffers,
) {
  const rules = parseStrategy(input.strategy, { interval });
  const assets = input.assets.map((each) => ({
    ...each,
    candles: candlesUntil(each.candles, interval, settings.toMs),
  }));
  const window = researchWindow(assets, interval, settings.fromMs);
  const account = accountOf(rules, settings, interval);
  return { rules, assets, window, account, run: tradeRules(assets, account, window.fromMs, scratch) };
}

/** Trades the decisions of rules on one or several assets, and reports. Throws `not_enough_history`, `look_ahead`. */
export const tradeRulesTask = defineTask({
  name: 'trade-rules',
  isAnswer: true,
  phases: ['trade'],
  run(input: TradeRulesInput, scratch = new ScratchBuffers(), onProgress = ignoreProgress): ResearchReport {
    onProgress('trade', 0);
    const { interval, settings, checkSeed, about } = input;
    const { rules, assets, window, account, run } = tradeWindow(input, scratch);
    onProgress('trade', 0.5);
    const rankBy = settings.rankBy === null ? null : parseRank(settings.rankBy, interval).column;
    if (checkSeed !== null) checkRun({ rules, rankBy, interval }, assets, account, run, checkSeed, scratch);
    const { slippageRate, feeRate } = settings.costs;
    const report = reportRules(
      {
        assets,
        account,
        rules,
        interval,
        run,
        windowNote: window.note,
        assumptions: {
          feePercent: inPercent(feeRate),
          feeReason: settings.feeReason,
          slippagePercent: inPercent(slippageRate),
          shortCostPercentPerDay: settings.shortCostPercentPerDay,
          rankBy: settings.rankBy,
        },
        lookAheadCheck: {
          candles: input.assets.reduce(
            (sum, { candles, decisions }) => sum + checkedOf(candles, decisions),
            0,
          ),
          runs: checkedRuns,
          differences: 0,
        },
      },
      scratch,
    );
    return about === undefined ? report : { ...about, ...report };
  },
});

const checkedOf = ({ time }: Candles, { slowest }: RuleDecisions): number =>
  checkedCandles(time.length - Math.max(0, slowest.at));

/** A fraction in percent, to 12 digits: 0.0007 x 100 is 0.06999999999999999 in doubles. */
const inPercent = (rate: number): number => Number((rate * 100).toPrecision(12));
