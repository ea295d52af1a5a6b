import { allAnalyses, type AnyAnalysis } from '../../../compute/analyses.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { ladder, position } from '../gateway/plans.js';
import { plainSettings } from '../rules/run-rules.js';

export const sampleCosts = { feeRate: 0.001, slippageRate: 0.0005 };
const percents = { feePercent: 0.1, slippagePercent: 0.05 };
const grid = { fast: [3, 5], slow: [8, 12] };
const assets = ['AAA', 'BTC'];

/** A strategy over a period, as tasks and jobs name it. */
export const sampleTrading = {
  ...{ period: '3M', strategy: 'ema_cross', params: { fast: 5, slow: 12 } },
} as const;

/** Rules with a parameter, and values of it. */
const sweptRules = {
  strategy: {
    params: { fast: { default: 5, min: 2, max: 50 } },
    long: { entry: { left: 'ema_{fast}', op: '>', right: 'ema_12' }, stopLoss: { percent: 3 } },
  },
  settings: plainSettings,
  combinations: [{ fast: 3 }, { fast: 5 }, { fast: 8 }, { fast: 11 }],
};

/** Parameters that reach more of an analysis than the examples of its description do. `close`: the last price. */
const samples: Record<string, (close: number) => object> = {
  anomalies: () => ({ minZ: 2, withinCandles: 48, limit: 100 }),
  compare: () => ({
    strategies: [
      { name: 'trend_state', params: {} },
      { name: 'ema_cross', params: sampleTrading.params },
    ],
    ...{ assets, period: '3M', ...percents },
  }),
  'correlation-matrix': () => ({ assets, window: 90 }),
  'dca-ladder': () => ladder,
  'indicator-values': () => ({
    ...{
      indicators: ['rsi', 'ichimoku', 'session_vwap'].map((name) => ({ name, params: {} })),
      last: 20,
      before: null,
    },
  }),
  'monte-carlo': () => ({ ...sampleTrading, ...percents, paths: 200, seed: 1, until: null }),
  movers: () => ({ window: '24h', rankBy: 'volume', minQuoteVolume: 0, limit: 50 }),
  'pair-relationship': () => ({ asset: 'AAA', secondAsset: 'BTC', window: 180 }),
  performance: () => ({ assets }),
  'portfolio-risk': () => ({
    positions: [
      { asset: 'AAA', quantity: 2 },
      { asset: 'USDT', quantity: 100 },
    ],
    changes: [{ asset: 'BTC', quantityDelta: 1 }],
    prices: [],
  }),
  'position-size': () => position,
  'recurring-buy': () => ({
    ...{ amount: 9, every: 'week', period: '3M', onlyState: 'accumulate', feePercent: 0.1 },
  }),
  screen: () => ({
    conditions: [
      { left: 'rsi_14', op: '>=', right: '0' },
      { left: 'close', op: 'crosses_above', right: 'sma_20' },
      { left: 'days_in_state', op: '>', right: '0' },
    ],
    ...{ join: 'or', sortBy: '-change', limit: 100 },
  }),
  seasonality: () => ({ by: 'hour' }),
  'similar-history': () => ({ window: 30, matches: 5 }),
  'survey-rules': () => ({ ...sweptRules, asset: 'AAA' }),
  'sweep-rules': () => ({
    ...{ ...sweptRules, first: 0, tried: 4, fromMs: Date.UTC(2024, 0, 10) },
    ...{ rankBy: 'sharpe', keep: 2, checkSeed: 1 },
  }),
  sweep: () => ({
    ...{ strategy: 'ema_cross', grid, period: '3M', costs: sampleCosts, rankBy: 'sharpe', keep: 3 },
    range: { from: 0, to: 4 },
  }),
  'tail-risk': () => ({ weights: { AAA: 1, BTC: 2 }, lookbackDays: 90 }),
  'target-probability': (close) => ({
    ...{ side: 'long', entry: null, target: String(close * 1.1), stop: String(close * 0.95), maxCandles: 60 },
  }),
  'trade-levels': () => ({ side: 'long', entry: null, riskStyle: 'normal', targets: 3 }),
  'walk-rules-forward': () => ({ ...sweptRules, asset: 'AAA', folds: 2, trainRatio: 0.6 }),
  'walk-forward': () => ({ strategy: 'ema_cross', grid, folds: 3, trainRatio: 0.7, ...percents }),
};

/** The analysis with a name; undefined for a task or job of another kind. */
export const analysisNamed = (name: string): AnyAnalysis | undefined =>
  allAnalyses.find((each) => each.name === name);

/** Parameters for an analysis: the examples of its description, and the defaults of all others. */
export function sampleParams({ params }: AnyAnalysis): object {
  const required = Object.entries(params).filter(([, { example }]) => example !== undefined);
  const given = Object.fromEntries(required.map(([name, { example }]) => [name, example]));
  const { error, value } = objectSchema(params).validate(given, { convert: false });
  if (error) throw error;
  return value;
}

/** The parameters above of what has a name, or those of its description; null for what has none. `close`: the last price. */
export function reachingParams(name: string, close = 100): object | null {
  if (samples[name]) return samples[name](close);
  const analysis = analysisNamed(name);
  return analysis ? sampleParams(analysis) : null;
}
