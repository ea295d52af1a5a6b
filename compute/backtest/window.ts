import { firstCandleFrom } from '../model/candles.js';
import { intervalMs, periodStart, type Interval, type Period } from '../model/interval.js';

/** The candles at the end of a series that a backtest trades. */
export interface Window {
  /** Index of the first candle; the window goes on to the last one. */
  from: number;
  /** Open time of the first candle, and close time of the last, in ms, UTC. */
  fromMs: number;
  toMs: number;
  /** Why the window is shorter than was asked for, a sentence; null when it is not. */
  short: string | null;
}

/**
 * The last 3, 6 or 12 calendar months of a series, counted from the close of its last candle; shorter where history or
 * the first decision of the strategy (on candle `ready`) starts later.
 */
export function windowOf(time: Float64Array, interval: Interval, period: Period, ready: number): Window {
  const toMs = time[time.length - 1] + intervalMs(interval);
  const wantedMs = periodStart(toMs, period);
  const wanted = firstCandleFrom(time, wantedMs);
  const from = Math.max(wanted, ready);
  const whole = time[0] <= wantedMs && wanted >= ready;
  const short = `history is shorter than ${period}: the window starts ${new Date(time[from]).toISOString()}`;
  return { from, fromMs: time[from], toMs, short: whole ? null : short };
}

/** Start and end of a window as dates, ISO 8601. */
export const datesOf = ({ fromMs, toMs }: Pick<Window, 'fromMs' | 'toMs'>): { from: string; to: string } => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});
