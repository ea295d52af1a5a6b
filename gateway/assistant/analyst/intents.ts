import type { Intent } from './intent.js';
import { accountAccessIntent } from './intents/accounts/account-access.js';
import { balancesIntent } from './intents/accounts/balances.js';
import { channelPerformanceIntent } from './intents/accounts/channel-performance.js';
import { equityIntent } from './intents/accounts/equity.js';
import { exchangeConnectionsIntent } from './intents/accounts/exchange-connections.js';
import { orderTimelineIntent } from './intents/accounts/order-timeline.js';
import { ordersIntent } from './intents/accounts/orders.js';
import { pastConversationsIntent } from './intents/accounts/past-conversations.js';
import { portfolioConflictsIntent } from './intents/accounts/portfolio-conflicts.js';
import { portfolioRiskIntent } from './intents/accounts/portfolio-risk.js';
import { portfolioStatusIntent } from './intents/accounts/portfolio-status.js';
import { positionDetailsIntent } from './intents/accounts/position-details.js';
import { profitsIntent } from './intents/accounts/profits.js';
import { rateLimitIntent } from './intents/accounts/rate-limit.js';
import { signalDetailsIntent } from './intents/accounts/signal-details.js';
import { signalsIntent } from './intents/accounts/signals.js';
import { subscriptionsIntent } from './intents/accounts/subscriptions.js';
import { tradesIntent } from './intents/accounts/trades.js';
import { validateSignalIntent } from './intents/accounts/validate-signal.js';
import { declinedActionIntent } from './intents/asides/declined-action.js';
import { declinedAdviceIntent } from './intents/asides/declined-advice.js';
import { declinedInjectionIntent } from './intents/asides/declined-injection.js';
import { declinedOffTopicIntent } from './intents/asides/declined-off-topic.js';
import { declinedOtherAccountIntent } from './intents/asides/declined-other-account.js';
import { declinedPredictionIntent } from './intents/asides/declined-prediction.js';
import { declinedSecretIntent } from './intents/asides/declined-secret.js';
import { definitionIntent } from './intents/asides/definition.js';
import { helpIntent } from './intents/asides/help.js';
import { anomaliesIntent } from './intents/market/anomalies.js';
import { breadthIntent } from './intents/market/breadth.js';
import { candlesIntent } from './intents/market/candles.js';
import { candlestickPatternsIntent } from './intents/market/candlestick-patterns.js';
import { correlationMatrixIntent } from './intents/market/correlation-matrix.js';
import { dataStatusIntent } from './intents/market/data-status.js';
import { divergencesIntent } from './intents/market/divergences.js';
import { exchangeRulesIntent } from './intents/market/exchange-rules.js';
import { exchangesIntent } from './intents/market/exchanges.js';
import { flipHistoryIntent } from './intents/market/flip-history.js';
import { flipPriceIntent } from './intents/market/flip-price.js';
import { flipStatisticsIntent } from './intents/market/flip-statistics.js';
import { indicatorDetailsIntent } from './intents/market/indicator-details.js';
import { indicatorValuesIntent } from './intents/market/indicator-values.js';
import { listAssetsIntent } from './intents/market/list-assets.js';
import { listIndicatorsIntent } from './intents/market/list-indicators.js';
import { longestInStateIntent } from './intents/market/longest-in-state.js';
import { marketOverviewIntent } from './intents/market/market-overview.js';
import { momentumReadingIntent } from './intents/market/momentum-reading.js';
import { pairRelationshipIntent } from './intents/market/pair-relationship.js';
import { pastPriceIntent } from './intents/market/past-price.js';
import { performanceIntent } from './intents/market/performance.js';
import { priceIntent } from './intents/market/price.js';
import { recentFlipsIntent } from './intents/market/recent-flips.js';
import { scanStatesIntent } from './intents/market/scan-states.js';
import { screenerIntent } from './intents/market/screener.js';
import { seasonalityIntent } from './intents/market/seasonality.js';
import { similarHistoryIntent } from './intents/market/similar-history.js';
import { supportResistanceIntent } from './intents/market/support-resistance.js';
import { technicalSummaryIntent } from './intents/market/technical-summary.js';
import { topMoversIntent } from './intents/market/top-movers.js';
import { trendChartIntent } from './intents/market/trend-chart.js';
import { trendOnAllIntervalsIntent } from './intents/market/trend-on-all-intervals.js';
import { trendReadingIntent } from './intents/market/trend-reading.js';
import { trendStateIntent } from './intents/market/trend-state.js';
import { volatilityReadingIntent } from './intents/market/volatility-reading.js';
import { volumeReadingIntent } from './intents/market/volume-reading.js';
import { whyFlippedIntent } from './intents/market/why-flipped.js';
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

/** Intents about the market. */
const market: readonly Intent[] = [
  anomaliesIntent,
  breadthIntent,
  candlesIntent,
  candlestickPatternsIntent,
  correlationMatrixIntent,
  dataStatusIntent,
  divergencesIntent,
  exchangeRulesIntent,
  exchangesIntent,
  flipHistoryIntent,
  flipPriceIntent,
  flipStatisticsIntent,
  indicatorDetailsIntent,
  indicatorValuesIntent,
  listAssetsIntent,
  listIndicatorsIntent,
  longestInStateIntent,
  marketOverviewIntent,
  momentumReadingIntent,
  pairRelationshipIntent,
  pastPriceIntent,
  performanceIntent,
  priceIntent,
  recentFlipsIntent,
  scanStatesIntent,
  screenerIntent,
  seasonalityIntent,
  similarHistoryIntent,
  supportResistanceIntent,
  technicalSummaryIntent,
  topMoversIntent,
  trendChartIntent,
  trendOnAllIntervalsIntent,
  trendReadingIntent,
  trendStateIntent,
  volatilityReadingIntent,
  volumeReadingIntent,
  whyFlippedIntent,
];

/** Intents about accounts, orders and signals. */
const accounts: readonly Intent[] = [
  accountAccessIntent,
  balancesIntent,
  channelPerformanceIntent,
  equityIntent,
  exchangeConnectionsIntent,
  orderTimelineIntent,
  ordersIntent,
  pastConversationsIntent,
  portfolioConflictsIntent,
  portfolioRiskIntent,
  portfolioStatusIntent,
  positionDetailsIntent,
  profitsIntent,
  rateLimitIntent,
  signalDetailsIntent,
  signalsIntent,
  subscriptionsIntent,
  tradesIntent,
  validateSignalIntent,
];

/** Intents about risk, plans and backtests. */
const planning: readonly Intent[] = [
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

/** Intents that call no tool: help, definitions, and what is declined. */
const asides: readonly Intent[] = [
  declinedActionIntent,
  declinedAdviceIntent,
  declinedInjectionIntent,
  declinedOffTopicIntent,
  declinedOtherAccountIntent,
  declinedPredictionIntent,
  declinedSecretIntent,
  definitionIntent,
  helpIntent,
];

/** Every intent that the analyst recognises. */
export const intents: readonly Intent[] = [...market, ...accounts, ...planning, ...asides];

const byName = new Map(intents.map((intent) => [intent.name, intent]));

/** The intent of that name. */
export const intentNamed = (name: string): Intent | undefined => byName.get(name);
