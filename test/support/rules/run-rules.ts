import type { Candles } from '../../../compute/model/candles.js';
import type { ResearchInterval } from '../../../compute/model/interval.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { researchWindow } from '../../../compute/backtest/research-window.js';
import { accountOf, candlesUntil, type RuleSettings } from '../../../compute/backtest/trade-rules-task.js';
import { tradeRules } from '../../../compute/backtest/trade-rules.js';
import { filledRules } from '../../../compute/rules/canonical-rules.js';
import { decideRulesAlone } from '../../../compute/rules/decide-rules.js';
import { parseStrategy } from '../../../compute/rules/parse-strategy.js';
import { parseRank } from '../../../compute/rules/rule-rank.js';

export const plainSettings: RuleSettings = {
  fromMs: null,
  toMs: null,
  costs: { feeRate: 0.001, slippageRate: 0.0005 },
  feeReason: 'as given in feePercent',
  shortCostPercentPerDay: 0,
  initialEquity: 10_000,
  maxPositions: 1,
  rankBy: null,
};

/** A run of a strategy on candles by asset, without the task around it. */
export function runRules(
  strategy: object,
  candles: Readonly<Record<string, Candles>>,
  interval: ResearchInterval,
  given: Partial<RuleSettings> = {},
  params: Record<string, number> = {},
) {
  const names = Object.keys(candles);
  const settings = { ...plainSettings, maxPositions: names.length, ...given };
  const rules = parseStrategy(strategy, { interval, params });
  const rankBy = settings.rankBy === null ? null : parseRank(settings.rankBy, interval).column;
  const assets = names.map((asset) => ({
    asset,
    candles: candlesUntil(candles[asset], interval, settings.toMs),
    decisions: decideRulesAlone(rules, rankBy, candles[asset], interval, new ScratchBuffers()),
  }));
  const { fromMs } = researchWindow(assets, interval, settings.fromMs);
  const account = accountOf(rules, settings, interval);
  const run = tradeRules(assets, account, fromMs);
  return { run, assets, account, rules, settings, fromMs, interval, strategy: filledRules(strategy, rules) };
}
