import type { Intent } from './intent.js';
import { assessRiskIntent } from './intents/planning/assess-risk.js';
import { backtestEquityIntent } from './intents/planning/backtest-equity.js';
import { backtestRunsIntent } from './intents/planning/backtest-runs.js';
import { backtestSummaryIntent } from './intents/planning/backtest-summary.js';
import { backtestTradesIntent } from './intents/planning/backtest-trades.js';
import { compareBacktestsIntent } from './intents/planning/compare-backtests.js';
import { dcaLadderIntent } from './intents/planning/dca-ladder.js';
import { listStrategiesIntent } from './intents/planning/list-strategies.js';
import { monteCarloIntent } from './intents/planning/monte-carlo.js';
import { positionSizeIntent } from './intents/planning/position-size.js';
import { recurringBuyIntent } from './intents/planning/recurring-buy.js';
import { runBacktestIntent } from './intents/planning/run-backtest.js';
import { strategyLeaderboardIntent } from './intents/planning/strategy-leaderboard.js';
import { tailRiskIntent } from './intents/planning/tail-risk.js';
import { targetProbabilityIntent } from './intents/planning/target-probability.js';
import { tradeLevelsIntent } from './intents/planning/trade-levels.js';
import { walkForwardIntent } from './intents/planning/walk-forward.js';

/** Intents about risk, plans and backtests. */
export const planningIntents: readonly Intent[] = [
  assessRiskIntent,
  backtestEquityIntent,
  backtestRunsIntent,
  backtestSummaryIntent,
  backtestTradesIntent,
  compareBacktestsIntent,
  dcaLadderIntent,
  listStrategiesIntent,
  monteCarloIntent,
  positionSizeIntent,
  recurringBuyIntent,
  runBacktestIntent,
  strategyLeaderboardIntent,
  tailRiskIntent,
  targetProbabilityIntent,
  tradeLevelsIntent,
  walkForwardIntent,
];
