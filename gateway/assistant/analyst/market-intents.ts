import type { Intent } from './intent.js';
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

/** Intents about the market. */
export const marketIntents: readonly Intent[] = [
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
