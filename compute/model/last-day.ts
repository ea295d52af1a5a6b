import { firstCandleFrom, type Candles } from './candles.js';

/**
 * How long before the start of a window, in ms, the close may be from which the change over the window is measured: at most a
 * twentieth of the window. With an older close, from before an outage, the change would be that of a longer time.
 */
export const maxCloseAgeMs = (windowMs: number): number => windowMs / 20;

const dayMs = 86_400_000;

/** The last 24 hours of a series. */
export interface LastDay {
  /** Percent from the close 24 hours before; null if the candles around that time are missing. */
  change: number | null;
  /** In quote units: the volume of each candle at the mean of its high, low and close. */
  volume: number;
}

/** The 24 hours up to the last close; null if the series does not reach back that far. */
export function lastDay({ time, high, low, close, volume }: Candles): LastDay | null {
  const last = time.length - 1;
  const before = firstCandleFrom(time, time[last] - dayMs + 1) - 1;
  if (last < 0 || before < 0) return null;
  let traded = 0;
  for (let i = before + 1; i <= last; i++) traded += (volume[i] * (high[i] + low[i] + close[i])) / 3;
  const ageMs = time[last] - dayMs - time[before];
  const change = ageMs <= maxCloseAgeMs(dayMs) ? (close[last] / close[before] - 1) * 100 : null;
  return { change, volume: traded };
}

/** Why there is no change over the last 24 hours; null where there is one. */
export function whyNoDayChange(day: LastDay | null): string | null {
  if (day === null) return 'the history is shorter than 24 hours';
  return day.change === null ? 'candles are missing 24 hours before' : null;
}
