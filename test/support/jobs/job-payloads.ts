import { allAnalyses } from '../../../compute/analyses.js';
import type { SeriesKey } from '../../../storage/candles/series.js';
import { plainSettings } from '../rules/run-rules.js';
import { sampleParams } from './sample-params.js';
import { ladder, position } from '../gateway/plans.js';

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const settings = {
  period: '3M',
  strategy: 'ema_cross',
  params: { fast: 5, slow: 12 },
  feePercent: 0.1,
  slippagePercent: 0.05,
} as const;
const trading = { period: '3M', strategy: 'ema_cross', params: { fast: 5, slow: 12 }, costs } as const;
const grid = { fast: [3, 5], slow: [8, 12] };

/** About both pairs. */
const asked = <Params>({ market, interval }: SeriesKey, params: Params) => ({
  market,
  interval,
  tradeMarket: 'USDT',
  assets: ['AAA', 'BTC'],
  version: '1',
  params,
});

/** Data that reach more of a job than the examples of its analysis do. */
const payloads: Record<string, (key: SeriesKey, digest: string) => object> = {
  anomalies: (key) => asked(key, { minZ: 2, withinCandles: 48, limit: 25 }),
  'assess-risk': (key, digest) => ({ key, digest, leadingDigest: digest, side: 'long' }),
  backtest: (key, digest) => ({ key, digest, ...trading }),
  'calibrate-risk': (key, digest) => ({ key, digest, leadingDigest: digest }),
  compare: ({ market, interval }) => ({
    market,
    interval,
    tradeMarket: 'USDT',
    assets: ['AAA', 'BTC'],
    version: '1',
    params: {
      strategies: [{ name: 'ema_cross', params: {} }],
      assets: ['AAA', 'BTC'],
      period: '3M',
      feePercent: 0.1,
      slippagePercent: 0.05,
    },
  }),
  'core-line': (key, digest) => ({ key, digest }),
  'refresh-core-line': (key, digest) => ({ key, digest }),
  'correlation-matrix': (key) => asked(key, { assets: ['AAA', 'BTC'], window: 90 }),
  'dca-ladder': () => ({ params: ladder }),
  'monte-carlo': (key, digest) => ({
    key,
    digest,
    params: { ...settings, paths: 200, seed: 1, until: null },
  }),
  movers: (key) => asked(key, { window: '24h', rankBy: 'gain', minQuoteVolume: 0, limit: 10 }),
  'pair-relationship': (key) => asked(key, { asset: 'AAA', secondAsset: 'BTC', window: 180 }),
  performance: (key) => asked(key, { assets: ['AAA'] }),
  'portfolio-risk': (key) => ({
    ...asked(key, { positions: [{ asset: 'AAA', quantity: 2 }], changes: [] }),
    interval: '1d',
  }),
  'position-size': () => ({ params: position }),
  'recurring-buy': (key, digest) => ({
    key,
    digest,
    params: { amount: 10, every: 'week', period: '3M', onlyState: null, feePercent: 0.1 },
  }),
  'research-backtest': (key, digest) => ({
    series: [{ asset: key.base, key, digest }],
    strategy: { long: { entry: { left: 'ema_5', op: '>', right: 'ema_12' }, stopLoss: { percent: 3 } } },
    ...{ strategyHash: 'a hash', params: {}, settings: plainSettings },
  }),
  seasonality: (key, digest) => ({ key, digest, params: { by: 'hour' } }),
  sweep: (key, digest) => ({
    key,
    digest,
    params: {
      strategy: 'ema_cross',
      grid,
      period: '3M',
      costs,
      rankBy: 'sharpe',
      keep: 3,
      range: { from: 0, to: 4 },
    },
  }),
  'tail-risk': (key) => ({
    ...asked(key, { weights: { AAA: 1, BTC: 2 }, lookbackDays: 90 }),
    interval: '1d',
  }),
  'target-probability': (key, digest) => ({
    key,
    digest,
    params: { side: 'long', entry: '100', target: '110', stop: '95', maxCandles: 60 },
  }),
  'trade-levels': (key, digest) => ({
    key,
    digest,
    params: { side: 'long', entry: '50', riskStyle: 'normal', targets: 3 },
  }),
  'trend-state': ({ market, base, quote }) => ({ market, base, quote, version: '1', params: {} }),
  'walk-forward': (key, digest) => ({
    key,
    digest,
    params: {
      strategy: 'ema_cross',
      grid,
      folds: 3,
      trainRatio: 0.7,
      feePercent: 0.1,
      slippagePercent: 0.05,
    },
  }),
};

/** Usual data of a job, about the 1h series of AAA/USDT and BTC/USDT of an imported market. */
export function jobPayload(name: string, key: SeriesKey, digest: string): object {
  if (payloads[name]) return payloads[name](key, digest);
  const analysis = allAnalyses.find((each) => each.name === name);
  if (!analysis) throw new Error(`there are no data for job "${name}"`);
  const params = sampleParams(analysis);
  if (analysis.needs === 'nothing') return { params };
  if (analysis.needs === 'series') return { key, digest, params };
  return { ...asked(key, params), interval: analysis.interval ?? key.interval };
}
