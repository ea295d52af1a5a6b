import type { Intent } from './intent.js';
import { anomaliesIntent } from './intents/anomalies.js';
import { breadthIntent } from './intents/breadth.js';
import { candlesIntent } from './intents/candles.js';
import { candlestickPatternsIntent } from './intents/candlestick-patterns.js';
import { correlationMatrixIntent } from './intents/correlation-matrix.js';
import { dataStatusIntent } from './intents/data-status.js';
import { declinedActionIntent } from './intents/declined-action.js';
import { declinedAdviceIntent } from './intents/declined-advice.js';
import { declinedInjectionIntent } from './intents/declined-injection.js';
import { declinedOffTopicIntent } from './intents/declined-off-topic.js';
import { declinedOtherAccountIntent } from './intents/declined-other-account.js';
import { declinedPredictionIntent } from './intents/declined-prediction.js';
import { declinedSecretIntent } from './intents/declined-secret.js';
import { definitionIntent } from './intents/definition.js';
import { divergencesIntent } from './intents/divergences.js';
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
import { longestInStateIntent } from './intents/longest-in-state.js';
import { marketOverviewIntent } from './intents/market-overview.js';
import { momentumReadingIntent } from './intents/momentum-reading.js';
import { pairRelationshipIntent } from './intents/pair-relationship.js';
import { pastPriceIntent } from './intents/past-price.js';
import { performanceIntent } from './intents/performance.js';
import { priceIntent } from './intents/price.js';
import { rateLimitIntent } from './intents/rate-limit.js';
import { recentFlipsIntent } from './intents/recent-flips.js';
import { scanStatesIntent } from './intents/scan-states.js';
import { screenerIntent } from './intents/screener.js';
import { seasonalityIntent } from './intents/seasonality.js';
import { similarHistoryIntent } from './intents/similar-history.js';
import { supportResistanceIntent } from './intents/support-resistance.js';
import { technicalSummaryIntent } from './intents/technical-summary.js';
import { topMoversIntent } from './intents/top-movers.js';
import { trendChartIntent } from './intents/trend-chart.js';
import { trendOnAllIntervalsIntent } from './intents/trend-on-all-intervals.js';
import { trendReadingIntent } from './intents/trend-reading.js';
import { trendStateIntent } from './intents/trend-state.js';
import { volatilityReadingIntent } from './intents/volatility-reading.js';
import { volumeReadingIntent } from './intents/volume-reading.js';
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
const accountAndPlanning: readonly Intent[] = [];

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
