import type { jobs } from '../../jobs/definitions/index.js';
import type { Job } from '../../jobs/job.js';
import type { SeriesKey } from '../../storage/series.js';

type KnownJob = (typeof jobs)[number];
export type JobName = KnownJob['name'];
type PayloadOf<Name extends JobName> =
  Extract<KnownJob, { name: Name }> extends Job<string, infer Payload, unknown> ? Payload : never;

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const trading = { period: '3M', strategy: 'ema_cross', params: { fast: 5, slow: 12 }, costs } as const;
const grid = { fast: [3, 5], slow: [8, 12] };

/** A usual payload of every job there is, about the 1h series of AAA/USDT and BTC/USDT of an imported market. */
export const jobPayloads: {
  [Name in JobName]: (key: SeriesKey, digest: string) => PayloadOf<Name>;
} = {
  'assess-risk': ({ market, base, quote }) => ({ market, base, quote, side: 'long' }),
  backtest: (key, digest) => ({ key, digest, ...trading }),
  'candlestick-patterns': (key, digest) => ({ key, digest, params: { lookback: 20 } }),
  compare: ({ market, interval }) => ({
    market,
    interval,
    tradeMarket: 'USDT',
    assets: ['AAA', 'BTC'],
    params: { strategies: [{ name: 'ema_cross', params: {} }], period: '3M', costs },
  }),
  'core-line': (key, digest) => ({ key, digest }),
  divergences: (key, digest) => ({ key, digest, params: { lookback: 120 } }),
  'indicator-values': (key, digest) => ({
    key,
    digest,
    params: { indicators: [{ name: 'rsi', params: { period: 7 } }], last: 20 },
  }),
  momentum: (key, digest) => ({ key, digest, params: {} }),
  'monte-carlo': (key, digest) => ({ key, digest, params: { ...trading, paths: 200, seed: 1 } }),
  'support-resistance': (key, digest) => ({ key, digest, params: { maxLevels: 8 } }),
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
  'technical-summary': (key, digest) => ({ key, digest, params: {} }),
  'trade-levels': (key, digest) => ({
    key,
    digest,
    params: { side: 'long', entry: 50, riskStyle: 'normal', targets: 3 },
  }),
  trend: (key, digest) => ({ key, digest, params: {} }),
  volatility: (key, digest) => ({ key, digest, params: {} }),
  volume: (key, digest) => ({ key, digest, params: {} }),
  'walk-forward': (key, digest) => ({
    key,
    digest,
    params: { strategy: 'ema_cross', grid, folds: 3, trainRatio: 0.7, costs },
  }),
};
