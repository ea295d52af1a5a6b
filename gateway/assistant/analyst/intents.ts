import type { Intent } from './intent.js';
import { accountAccessIntent } from './intents/account-access.js';
import { anomaliesIntent } from './intents/anomalies.js';
import { assessRiskIntent } from './intents/assess-risk.js';
import { backtestEquityIntent } from './intents/backtest-equity.js';
import { backtestRunsIntent } from './intents/backtest-runs.js';
import { backtestSummaryIntent } from './intents/backtest-summary.js';
import { backtestTradesIntent } from './intents/backtest-trades.js';
import { balancesIntent } from './intents/balances.js';
import { breadthIntent } from './intents/breadth.js';
import { candlesIntent } from './intents/candles.js';
import { candlestickPatternsIntent } from './intents/candlestick-patterns.js';
import { channelPerformanceIntent } from './intents/channel-performance.js';
import { compareBacktestsIntent } from './intents/compare-backtests.js';
import { correlationMatrixIntent } from './intents/correlation-matrix.js';
import { dataStatusIntent } from './intents/data-status.js';
import { dcaLadderIntent } from './intents/dca-ladder.js';
import { declinedActionIntent } from './intents/declined-action.js';
import { declinedAdviceIntent } from './intents/declined-advice.js';
import { declinedInjectionIntent } from './intents/declined-injection.js';
import { declinedOffTopicIntent } from './intents/declined-off-topic.js';
import { declinedOtherAccountIntent } from './intents/declined-other-account.js';
import { declinedPredictionIntent } from './intents/declined-prediction.js';
import { declinedSecretIntent } from './intents/declined-secret.js';
import { definitionIntent } from './intents/definition.js';
import { divergencesIntent } from './intents/divergences.js';
import { equityIntent } from './intents/equity.js';
import { exchangeConnectionsIntent } from './intents/exchange-connections.js';
import { exchangeRulesIntent } from './intents/exchange-rules.js';
import { exchangesIntent } from './intents/exchanges.js';
import { flipHistoryIntent } from './intents/flip-history.js';
import { flipPriceIntent } from './intents/flip-price.js';
import { flipStatisticsIntent } from './intents/flip-statistics.js';
import { helpIntent } from './intents/help.js';
import { indicatorDetailsIntent } from './intents/indicator-details.js';
import { indicatorValuesIntent } from './intents/indicator-values.js';
import { listAssetsIntent } from './intents/list-assets.js';
import { listIndicatorsIntent } from './intents/list-indicators.js';
import { listStrategiesIntent } from './intents/list-strategies.js';
import { longestInStateIntent } from './intents/longest-in-state.js';
import { marketOverviewIntent } from './intents/market-overview.js';
import { momentumReadingIntent } from './intents/momentum-reading.js';
import { monteCarloIntent } from './intents/monte-carlo.js';
import { orderTimelineIntent } from './intents/order-timeline.js';
import { ordersIntent } from './intents/orders.js';
import { pairRelationshipIntent } from './intents/pair-relationship.js';
import { pastConversationsIntent } from './intents/past-conversations.js';
import { pastPriceIntent } from './intents/past-price.js';
import { performanceIntent } from './intents/performance.js';
import { portfolioConflictsIntent } from './intents/portfolio-conflicts.js';
import { portfolioRiskIntent } from './intents/portfolio-risk.js';
import { portfolioStatusIntent } from './intents/portfolio-status.js';
import { positionDetailsIntent } from './intents/position-details.js';
import { positionSizeIntent } from './intents/position-size.js';
import { priceIntent } from './intents/price.js';
import { profitsIntent } from './intents/profits.js';
import { rateLimitIntent } from './intents/rate-limit.js';
import { recentFlipsIntent } from './intents/recent-flips.js';
import { recurringBuyIntent } from './intents/recurring-buy.js';
import { runBacktestIntent } from './intents/run-backtest.js';
import { scanStatesIntent } from './intents/scan-states.js';
import { screenerIntent } from './intents/screener.js';
import { seasonalityIntent } from './intents/seasonality.js';
import { signalDetailsIntent } from './intents/signal-details.js';
import { signalsIntent } from './intents/signals.js';
import { similarHistoryIntent } from './intents/similar-history.js';
import { strategyLeaderboardIntent } from './intents/strategy-leaderboard.js';
import { subscriptionsIntent } from './intents/subscriptions.js';
import { supportResistanceIntent } from './intents/support-resistance.js';
import { tailRiskIntent } from './intents/tail-risk.js';
import { targetProbabilityIntent } from './intents/target-probability.js';
import { technicalSummaryIntent } from './intents/technical-summary.js';
import { topMoversIntent } from './intents/top-movers.js';
import { tradeLevelsIntent } from './intents/trade-levels.js';
import { tradesIntent } from './intents/trades.js';
import { trendChartIntent } from './intents/trend-chart.js';
import { trendOnAllIntervalsIntent } from './intents/trend-on-all-intervals.js';
import { trendReadingIntent } from './intents/trend-reading.js';
import { trendStateIntent } from './intents/trend-state.js';
import { validateSignalIntent } from './intents/validate-signal.js';
import { volatilityReadingIntent } from './intents/volatility-reading.js';
import { volumeReadingIntent } from './intents/volume-reading.js';
import { walkForwardIntent } from './intents/walk-forward.js';
import { whyFlippedIntent } from './intents/why-flipped.js';

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
  rateLimitIntent,
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

/** Intents about accounts, risk and backtests. */
const accountAndPlanning: readonly Intent[] = [
  accountAccessIntent,
  assessRiskIntent,
  backtestEquityIntent,
  backtestRunsIntent,
  backtestSummaryIntent,
  backtestTradesIntent,
  balancesIntent,
  channelPerformanceIntent,
  compareBacktestsIntent,
  dcaLadderIntent,
  equityIntent,
  exchangeConnectionsIntent,
  listStrategiesIntent,
  monteCarloIntent,
  orderTimelineIntent,
  ordersIntent,
  pastConversationsIntent,
  portfolioConflictsIntent,
  portfolioRiskIntent,
  portfolioStatusIntent,
  positionDetailsIntent,
  positionSizeIntent,
  profitsIntent,
  recurringBuyIntent,
  runBacktestIntent,
  signalDetailsIntent,
  signalsIntent,
  strategyLeaderboardIntent,
  subscriptionsIntent,
  tailRiskIntent,
  targetProbabilityIntent,
  tradeLevelsIntent,
  tradesIntent,
  validateSignalIntent,
  walkForwardIntent,
];

/** Intents that call no tool: help, definitions, and what is declined. */
const withoutTool: readonly Intent[] = [
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
export const intents: readonly Intent[] = [...market, ...accountAndPlanning, ...withoutTool];

const byName = new Map(intents.map((intent) => [intent.name, intent]));

/** The intent of that name. */
export const intentNamed = (name: string): Intent | undefined => byName.get(name);
