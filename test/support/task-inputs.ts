import type { Candles } from '../../compute/model/candles.js';
import type { Interval } from '../../compute/model/interval.js';
import type { TaskInput, TaskName } from '../../compute/tasks/index.js';

/** What questions are made of: the candles of one pair, and of another over about the same time. */
export interface Market {
  candles: Candles;
  other: Candles;
  interval: Interval;
}

const costs = { feeRate: 0.001, slippageRate: 0.0005 };
const trading = { period: '1y', strategy: 'ema_cross', params: { fast: 5, slow: 12 }, costs } as const;
const question = <Params>({ candles, interval }: Market, params: Params) => ({ candles, interval, params });
const pairsOf = ({ candles, other }: Market) => [
  { asset: 'AAA', tradeMarket: 'USDT', candles },
  { asset: 'BTC', tradeMarket: 'USDT', candles: other },
];

/** A usual question to every task there is, about whatever candles. */
export const taskInputs: { [Name in TaskName]: (market: Market) => TaskInput<Name> } = {
  'assess-risk': ({ candles, other }) => ({ candles, leading: other, isLeading: false, side: 'long' }),
  backtest: ({ candles, interval }) => ({ candles, interval, ...trading, lookAheadSeed: 1 }),
  'candlestick-patterns': (market) => question(market, { lookback: 20 }),
  compare: (market) => ({
    pairs: pairsOf(market),
    interval: market.interval,
    params: {
      strategies: [
        { name: 'trend_state', params: {} },
        { name: 'ema_cross', params: { fast: 5, slow: 12 } },
      ],
      period: '1y',
      costs,
    },
  }),
  'core-line': ({ candles, interval }) => ({ candles, interval }),
  decide: ({ candles, interval }) => ({
    candles,
    interval,
    strategy: 'ema_cross',
    params: trading.params,
    seed: 1,
  }),
  divergences: (market) => question(market, { lookback: 120 }),
  'indicator-values': (market) =>
    question(market, {
      indicators: [{ name: 'rsi' }, { name: 'ichimoku' }, { name: 'session_vwap' }],
      last: 20,
    }),
  momentum: (market) => question(market, {}),
  'monte-carlo': ({ candles, interval }) => ({
    candles,
    interval,
    params: { ...trading, paths: 200, seed: 1 },
  }),
  'support-resistance': (market) => question(market, { maxLevels: 8 }),
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
  'technical-summary': (market) => question(market, {}),
  'trade-levels': (market) =>
    question(market, { side: 'long', entry: null, riskStyle: 'normal', targets: 3 }),
  trend: (market) => question(market, {}),
  volatility: (market) => question(market, {}),
  volume: (market) => question(market, {}),
  'walk-forward': ({ candles, interval }) => ({
    candles,
    interval,
    params: {
      strategy: 'ema_cross',
      grid: { fast: [3, 5], slow: [8, 12] },
      folds: 3,
      trainRatio: 0.7,
      costs,
    },
  }),
};
