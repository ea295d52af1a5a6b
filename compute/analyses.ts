import type { Analysis, Need } from './analysis.js';
import type { Fields } from './model/field.js';
import { anomalies } from './market/anomalies.js';
import { breadth } from './market/breadth.js';
import { correlationMatrix } from './market/correlation-matrix.js';
import { marketOverview } from './market/market-overview.js';
import { monteCarlo } from './backtest/monte-carlo.js';
import { movers } from './market/movers.js';
import { pairRelationship } from './market/pair-relationship.js';
import { performance } from './market/performance.js';
import { positionSize } from './risk/position-size.js';
import { recurringBuy } from './market/recurring-buy.js';
import { scanStates } from './core-line/scan-states.js';
import { screen } from './market/screen.js';
import { seasonality } from './market/seasonality.js';
import { similarHistory } from './market/similar-history.js';
import { trendStateAnalysis } from './core-line/trend-states.js';

/** Every analysis, in alphabetical order of the names. */
export const analyses = [
  anomalies,
  breadth,
  correlationMatrix,
  marketOverview,
  monteCarlo,
  movers,
  pairRelationship,
  performance,
  positionSize,
  recurringBuy,
  scanStates,
  screen,
  seasonality,
  similarHistory,
  trendStateAnalysis,
] as const;

/** Any of them, for code that serves them all. */
export type AnyAnalysis = Analysis<string, Need, Fields, unknown>;

/** The same list, for code that serves them all alike. */
export const allAnalyses: readonly AnyAnalysis[] = analyses;

export type AnalysisName = (typeof analyses)[number]['name'];
