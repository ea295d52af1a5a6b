import type { ReportedTrade } from '../../../compute/backtest/report.js';
import type { TrendState } from '../../../compute/model/core-line.js';
import { readFixture } from './fixture.js';

/** One candle of the reference; null before the indicator's first value. */
export interface ReferenceSample extends Record<
  'kama' | 'atr' | 'adx' | 'plusDi' | 'minusDi' | 'ema20' | 'ema50',
  number | null
> {
  index: number;
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  state: TrendState | null;
}

/** A backtest of the reference; `window.to` is the open time of the last candle. */
export interface ReferenceBacktest extends Record<
  'winRate' | 'sharpe' | 'sortino' | 'profitFactor' | 'calmar' | 'expectancy',
  number | null
> {
  totalReturn: number;
  maxDrawdown: number;
  exposure: number;
  tradeCount: number;
  candles: number;
  trades: ReportedTrade[];
  benchmark: { totalReturn: number };
  window: { from: number; to: number };
}

export interface ReferenceSeries {
  rows: number;
  first: number;
  last: number;
  samples: ReferenceSample[];
  flips: [time: number, from: TrendState | null, to: TrendState][];
  /** By `period-strategy`. */
  backtests: Record<string, ReferenceBacktest>;
}

/**
 * What an independent implementation in Python, checked against TA-Lib, makes of the demo candles, by
 * `pair-interval`. To make it again, see test/support/candles/export-demo-candles.ts.
 */
export function readDemoReference(): Record<string, ReferenceSeries> {
  return readFixture('demo-reference.json.gz') as Record<string, ReferenceSeries>;
}
