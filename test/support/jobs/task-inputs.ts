import type { Candles } from '../../../compute/model/candles.js';
import { target } from '../../../compute/model/strategy.js';
import type { Interval } from '../../../compute/model/interval.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { decideRulesAlone } from '../../../compute/rules/decide-rules.js';
import { parseStrategy } from '../../../compute/rules/parse-strategy.js';
import { plainSettings } from '../rules/run-rules.js';
import { allAnalyses, type AnyAnalysis } from '../../../compute/analyses.js';
import { sampleParams } from './sample-params.js';
import { ladder, position } from '../gateway/plans.js';

/** What questions are made of: the candles of one pair, and of another over about the same time. */
export interface Market {
  candles: Candles;
  other: Candles;
  interval: Interval;
}

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const settings = {
  period: '1y',
  strategy: 'ema_cross',
  params: { fast: 5, slow: 12 },
  feePercent: 0.1,
  slippagePercent: 0.05,
} as const;
const trading = { period: '1y', strategy: 'ema_cross', params: { fast: 5, slow: 12 }, costs } as const;
const question = <Params>({ candles, interval }: Market, params: Params) => ({ candles, interval, params });
const pairsOf = ({ candles, other }: Market) => [
  { asset: 'AAA', tradeMarket: 'USDT', candles },
  { asset: 'BTC', tradeMarket: 'USDT', candles: other },
];

const asked = <Params>(market: Market, params: Params) => ({
  pairs: pairsOf(market),
  interval: market.interval,
  params,
});

/** Candles of hours taken for those of days. */
const asDays = (candles: Candles): Candles => ({
  ...candles,
  time: candles.time.map((ms) => Date.UTC(2020, 0, 1) + (ms - Date.UTC(2024, 0, 1)) * 24),
});

const rules = {
  long: {
    entry: { left: 'ema_5', op: '>', right: 'ema_12' },
    exit: { left: 'ema_5', op: '<', right: 'ema_12' },
  },
};

/** Inputs that reach more of a task than the examples of its description do. */
const inputs: Record<string, (market: Market) => object> = {
  anomalies: (market) => asked(market, { minZ: 2, withinCandles: 48, limit: 100 }),
  'assess-risk': ({ candles, other }) => ({ candles, leading: other, isLeading: false, side: 'long' }),
  'calibrate-risk': ({ candles, other }) => ({ candles, leading: other, isLeading: false }),
  backtest: ({ candles, interval }) => ({
    candles,
    interval,
    ...trading,
    targets: new Int8Array(candles.time.length).fill(target.long),
  }),
  compare: (market) => ({
    pairs: pairsOf(market),
    interval: market.interval,
    params: {
      strategies: [
        { name: 'trend_state', params: {} },
        { name: 'ema_cross', params: { fast: 5, slow: 12 } },
      ],
      period: '1y',
      feePercent: 0.1,
      slippagePercent: 0.05,
    },
  }),
  'core-line': ({ candles, interval }) => ({ candles, interval }),
  'correlation-matrix': (market) => asked(market, { assets: ['AAA', 'BTC'], window: 90 }),
  'dca-ladder': () => ({ params: ladder }),
  'decide-rules': ({ candles, interval }) => ({ candles, interval, strategy: rules, rankBy: null, seed: 1 }),
  decide: ({ candles, interval }) => ({
    candles,
    interval,
    strategy: 'ema_cross',
    params: trading.params,
    seed: 1,
  }),
  'indicator-values': (market) =>
    question(market, {
      indicators: ['rsi', 'ichimoku', 'session_vwap'].map((name) => ({ name, params: {} })),
      last: 20,
    }),
  'monte-carlo': ({ candles, interval }) => ({
    candles,
    interval,
    params: { ...settings, paths: 200, seed: 1, until: null },
  }),
  movers: (market) => asked(market, { window: '24h', rankBy: 'volume', minQuoteVolume: 0, limit: 50 }),
  'pair-relationship': (market) => asked(market, { asset: 'AAA', secondAsset: 'BTC', window: 180 }),
  performance: (market) => asked(market, { assets: ['AAA', 'BTC'] }),
  // It takes the candles for those of days.
  'portfolio-risk': (market) => ({
    ...asked(market, {
      positions: [
        { asset: 'AAA', quantity: 2 },
        { asset: 'USDT', quantity: 100 },
      ],
      changes: [{ asset: 'BTC', quantityDelta: 1 }],
    }),
    interval: '1d',
  }),
  'position-size': () => ({ params: position }),
  'recurring-buy': ({ candles, interval }) => ({
    candles,
    interval,
    params: { amount: 9, every: 'week', period: '3M', onlyState: 'accumulate', feePercent: 0.1 },
  }),
  screen: (market) =>
    asked(market, {
      conditions: [
        { left: 'rsi_14', op: '>=', right: '0' },
        { left: 'close', op: 'crosses_above', right: 'sma_20' },
        { left: 'days_in_state', op: '>', right: '0' },
      ],
      join: 'or',
      sortBy: '-change',
      limit: 100,
    }),
  seasonality: ({ candles, interval }) => ({ candles, interval, params: { by: 'hour' } }),
  'similar-history': ({ candles, interval }) => ({ candles, interval, params: { window: 30, matches: 5 } }),
  'trade-rules': ({ candles, interval }) => ({
    assets: [
      {
        asset: 'AAA',
        candles,
        decisions: decideRulesAlone(parseStrategy(rules), null, candles, interval, new ScratchBuffers()),
      },
    ],
    ...{ interval, strategy: rules, settings: plainSettings, checkSeed: 1 },
  }),
  sweep: ({ candles, interval }) => ({
    candles,
    interval,
    params: {
      strategy: 'ema_cross',
      grid: { fast: [3, 5], slow: [8, 12] },
      period: '1y',
      costs,
      rankBy: 'sharpe',
      keep: 3,
      range: { from: 0, to: 4 },
    },
  }),
  'tail-risk': ({ candles, other }) =>
    asked(
      { candles: asDays(candles), other: asDays(other), interval: '1d' },
      { weights: { AAA: 1, BTC: 2 }, lookbackDays: 365 },
    ),
  'target-probability': ({ candles, interval }) => {
    const close = candles.close.at(-1) ?? 1;
    const params = {
      side: 'long',
      entry: null,
      target: String(close * 1.1),
      stop: String(close * 0.95),
      maxCandles: 60,
    } as const;
    return { candles, interval, params };
  },
  'trade-levels': (market) =>
    question(market, { side: 'long', entry: null, riskStyle: 'normal', targets: 3 }),
  'trend-state': ({ candles, other, interval }) => ({
    series: [
      { interval, candles },
      { interval: '1d', candles: other },
    ],
  }),
  'walk-forward': ({ candles, interval }) => ({
    candles,
    interval,
    params: {
      strategy: 'ema_cross',
      grid: { fast: [3, 5], slow: [8, 12] },
      folds: 3,
      trainRatio: 0.7,
      feePercent: 0.1,
      slippagePercent: 0.05,
    },
  }),
};

/** A usual input of a task, about any candles. */
export function taskInput(name: string, market: Market): object {
  if (inputs[name]) return inputs[name](market);
  const analysis = allAnalyses.find((each) => each.name === name);
  if (!analysis) throw new Error(`there is no input for task "${name}"`);
  const params = sampleParams(analysis);
  return { ...candlesFor(analysis, market), params };
}

function candlesFor({ needs }: AnyAnalysis, market: Market): object {
  if (needs === 'nothing') return {};
  if (needs === 'series') return { candles: market.candles, interval: market.interval };
  return { pairs: pairsOf(market), interval: market.interval };
}
