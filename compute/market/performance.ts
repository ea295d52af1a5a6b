import { maxDrawdown } from '../metrics/max-drawdown.js';
import { normalQuantile } from '../metrics/normal.js';
import { candleReturns } from '../metrics/returns.js';
import { sharpe } from '../metrics/sharpe.js';
import { standardDeviation } from '../metrics/standard-deviation.js';
import { firstCandleFrom, type Candles } from '../model/candles.js';
import { intervalMs, type Interval } from '../model/interval.js';

const hourMs = intervalMs('1h');
const yearMs = 365 * 24 * hourMs;

/** How far back each window reaches, in hours of the calendar. */
export const performanceWindows = { '1d': 24, '7d': 168, '30d': 720, '90d': 2_160, '1y': 8_760 } as const;

export type PerformanceWindow = keyof typeof performanceWindows;

/** What a price did within a window. Times in ms, UTC. */
export interface PerformanceFigures {
  /** Close time of the candle that the window is measured from: the last one closed when the window began. */
  from: number;
  /** Returns from candle to candle: the sample of volatility and Sharpe ratio. */
  returns: number;
  returnPercent: number;
  /** Standard deviation of the returns, brought to a year; null with fewer than two. */
  volatilityPercent: number | null;
  /** Of a year, risk-free rate 0; null where the returns do not vary. */
  sharpe: number | null;
  /** 95 % confidence interval of the Sharpe ratio for independent returns: Lo, The Statistics of Sharpe Ratios, 2002. */
  sharpeLow: number | null;
  sharpeHigh: number | null;
  /** Deepest fall from a close to a later one, 0 or below. */
  maxDrawdownPercent: number;
  /** How far the last close lies from the highest high (0 or below) and the lowest low (0 or above) of the window. */
  fromHighPercent: number;
  fromLowPercent: number;
  /** The return less that of BTC between the same two moments, in percentage points; null without BTC's price at both. */
  relativeToBtcPoints: number | null;
}

/** One window; one that reaches beyond the history has no figures but the reason. */
export interface WindowPerformance {
  window: PerformanceWindow;
  figures: PerformanceFigures | null;
  reason: string | null;
}

/** What one price did over all windows. */
export interface Performance {
  /** Close time of the last candle, where all windows end; null without candles. */
  asOf: number | null;
  price: number | null;
  windows: WindowPerformance[];
}

/**
 * Returns and risk over 1d to 1y, counted in calendar time back from the last close, so that missing rows shorten
 * nothing. The price at a moment is the close of the last candle closed by then. `btc` are the candles of BTC in the
 * same quote, null where there are none; nothing of them later than the last close is read. Volatility and Sharpe are
 * brought to a year by the returns per year that the window really has: a return over a gap carries the variance of
 * all its hours, so the sum stays right.
 */
export function readPerformance(candles: Candles, btc: Candles | null, interval: Interval): Performance {
  const { time, close } = candles;
  const windows = Object.keys(performanceWindows) as PerformanceWindow[];
  const last = time.length - 1;
  return {
    asOf: last < 0 ? null : time[last] + intervalMs(interval),
    price: last < 0 ? null : close[last],
    windows: windows.map((window) => readWindow(window, candles, btc, interval)),
  };
}

function readWindow(
  window: PerformanceWindow,
  candles: Candles,
  btc: Candles | null,
  interval: Interval,
): WindowPerformance {
  const { time } = candles;
  if (time.length === 0) return { window, figures: null, reason: 'there are no candles' };
  const endMs = time[time.length - 1] + intervalMs(interval);
  const spanMs = performanceWindows[window] * hourMs;
  const base = lastClosedBy(time, endMs - spanMs, interval);
  if (base < 0) {
    const known = Math.floor((endMs - time[0]) / hourMs);
    const needed = performanceWindows[window] + intervalMs(interval) / hourMs;
    return { window, figures: null, reason: `needs ${needed} hours of history, found ${known}` };
  }
  const figures = figuresOf(candles, base, spanMs, interval);
  const btcReturn = btc && returnBetween(btc, endMs - spanMs, endMs, interval);
  const relativeToBtcPoints = btcReturn === null ? null : figures.returnPercent - btcReturn;
  return { window, figures: { ...figures, relativeToBtcPoints }, reason: null };
}

/** The index of the last candle that has closed at a moment; -1 of none. */
const lastClosedBy = (time: Float64Array, momentMs: number, interval: Interval): number =>
  firstCandleFrom(time, momentMs - intervalMs(interval) + 1) - 1;

function figuresOf(
  { time, high, low, close }: Candles,
  base: number,
  spanMs: number,
  interval: Interval,
): Omit<PerformanceFigures, 'relativeToBtcPoints'> {
  const price = close[close.length - 1];
  const path = close.subarray(base);
  const returns = candleReturns(path);
  const count = returns.length;
  const perYear = (count * yearMs) / spanMs;
  const ratio = sharpe(returns, perYear);
  // The error of a year's ratio: sqrt((1 + s^2 / 2) / n) of the ratio s per return, times the root of the returns in a year.
  const reach =
    ratio === null ? null : normalQuantile(0.975) * Math.sqrt((perYear + (ratio * ratio) / 2) / count);
  return {
    from: time[base] + intervalMs(interval),
    returns: count,
    returnPercent: (price / close[base] - 1) * 100,
    volatilityPercent: count < 2 ? null : standardDeviation(returns) * Math.sqrt(perYear) * 100,
    sharpe: ratio,
    sharpeLow: reach === null ? null : ratio! - reach,
    sharpeHigh: reach === null ? null : ratio! + reach,
    maxDrawdownPercent: maxDrawdown(path)!,
    fromHighPercent: (price / extreme(high, base + 1, Math.max) - 1) * 100,
    fromLowPercent: (price / extreme(low, base + 1, Math.min) - 1) * 100,
  };
}

function extreme(column: Float64Array, from: number, pick: (a: number, b: number) => number): number {
  let found = column[from];
  for (let i = from + 1; i < column.length; i++) found = pick(found, column[i]);
  return found;
}

/** The return in percent between two moments; null where the series does not reach back to the one or on to the other. */
function returnBetween(
  { time, close }: Candles,
  fromMs: number,
  toMs: number,
  interval: Interval,
): number | null {
  const from = lastClosedBy(time, fromMs, interval);
  if (from < 0 || time[time.length - 1] + intervalMs(interval) < toMs) return null;
  return (close[lastClosedBy(time, toMs, interval)] / close[from] - 1) * 100;
}
