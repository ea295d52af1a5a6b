import type { Analysis, Need } from './analysis.js';
import type { Fields } from './model/field.js';
import { anomalies } from './market/anomalies.js';
import { breadth } from './market/breadth.js';
import { candlestickPatterns } from './market/candlestick-patterns.js';
import { compare } from './backtest/compare.js';
import { correlationMatrix } from './market/correlation-matrix.js';
import { dcaLadder } from './risk/dca-ladder.js';
import { divergences } from './market/divergences.js';
import { flipPriceAnalysis } from './core-line/flip-price-analysis.js';
import { flipStatisticsAnalysis } from './core-line/flip-statistics-analysis.js';
import { indicatorValues } from './market/indicator-values.js';
import { marketOverview } from './market/market-overview.js';
import { momentumAnalysis, trendAnalysis } from './market/momentum-analysis.js';
import { monteCarlo } from './backtest/monte-carlo.js';
import { movers } from './market/movers.js';
import { pairRelationship } from './market/pair-relationship.js';
import { performance } from './market/performance.js';
import { portfolioRisk } from './risk/portfolio-risk.js';
import { positionSize } from './risk/position-size.js';
import { recentFlips } from './core-line/recent-flips.js';
import { recurringBuy } from './market/recurring-buy.js';
import { scanStates } from './core-line/scan-states.js';
import { screen } from './market/screen.js';
import { seasonality } from './market/seasonality.js';
import { similarHistory } from './market/similar-history.js';
import { supportResistance } from './market/support-resistance.js';
import { tailRisk } from './risk/tail-risk.js';
import { targetProbability } from './risk/target-probability.js';
import { technicalSummary } from './market/technical-summary.js';
import { tradeLevels } from './risk/trade-levels.js';
import { trendStateAnalysis } from './core-line/trend-states.js';
import { volatility } from './market/volatility.js';
import { volume } from './market/volume.js';
import { walkForward } from './backtest/walk-forward.js';

/** Every analysis, in alphabetical order of the names. */
export const analyses = [
  anomalies,
  breadth,
  candlestickPatterns,
  compare,
  correlationMatrix,
  dcaLadder,
  divergences,
  flipPriceAnalysis,
  flipStatisticsAnalysis,
  indicatorValues,
  marketOverview,
  momentumAnalysis,
  monteCarlo,
  movers,
  pairRelationship,
  performance,
  portfolioRisk,
  positionSize,
  recentFlips,
  recurringBuy,
  scanStates,
  screen,
  seasonality,
  similarHistory,
  supportResistance,
  tailRisk,
  targetProbability,
  technicalSummary,
  tradeLevels,
  trendAnalysis,
  trendStateAnalysis,
  volatility,
  volume,
  walkForward,
] as const;

/** Any analysis, for code that serves all of them. */
export type AnyAnalysis = Analysis<string, Need, Fields, unknown>;

/** The same list without the types of each, for code that treats all of them alike. */
export const allAnalyses: readonly AnyAnalysis[] = [...analyses];

export type AnalysisName = (typeof analyses)[number]['name'];

/** The analysis of that name. */
export const analysisNamed = <Name extends AnalysisName>(
  name: Name,
): Extract<(typeof analyses)[number], { name: Name }> =>
  analyses.find((each) => each.name === name) as Extract<(typeof analyses)[number], { name: Name }>;
