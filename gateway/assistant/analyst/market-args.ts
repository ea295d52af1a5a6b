import { intervalMs, type Interval } from '../../../compute/model/interval.js';
import type { Slots } from './slots.js';

/** Arguments of a tool that reads a whole market: only what the question decides. */
export const marketArgs = ({ interval, tradeMarket }: Slots): Record<string, unknown> => ({
  ...(interval === undefined ? {} : { interval }),
  ...quoteArgs({ tradeMarket }),
});

/** Arguments of a tool that reads one asset on one interval. */
export const seriesArgs = (slots: Slots): Record<string, unknown> => ({
  asset: slots.asset,
  ...marketArgs(slots),
});

/** Arguments of a tool that has no interval. */
export const quoteArgs = ({ tradeMarket }: { tradeMarket?: string | undefined }): Record<string, unknown> =>
  tradeMarket === undefined ? {} : { trade_market: tradeMarket };

/** The assets that a question names. */
export const namedAssets = ({ assets, asset }: Slots): readonly string[] =>
  assets ?? (asset === undefined ? [] : [asset]);

/** A number of rows or candles as a tool takes it: at least one. */
export const atMost = (most: number, count: number): number => Math.min(most, Math.max(1, count));

interface Within {
  isToday?: boolean | undefined;
  candles?: number | undefined;
  windowHours?: number | undefined;
  interval?: Interval | undefined;
}

/** How many of the last candles are looked at, by their number or by the span of time that they cover. */
export function withinArgs(
  most: number,
  { candles, windowHours, interval = '1d' }: Within,
): Record<string, unknown> {
  if (candles !== undefined) return { within_candles: atMost(most, candles) };
  if (windowHours === undefined) return {};
  return { within_candles: atMost(most, heldCandles(windowHours, interval)) };
}

/**
 * How many of the last candles a question looks at, by their number or by the span of time that they cover, within the bounds
 * of a tool; undefined where it names none.
 */
export function spannedCandles(
  { candles, windowHours, isToday, interval = '1d' }: Within,
  { least = 1, most }: { least?: number; most: number },
): number | undefined {
  const count =
    candles ?? (windowHours === undefined || isToday ? undefined : heldCandles(windowHours, interval));
  return count === undefined ? undefined : Math.max(least, atMost(most, count));
}

/** The candles that a span of hours holds. */
export const heldCandles = (hours: number, interval: Interval): number =>
  Math.ceil((hours * intervalMs('1h')) / intervalMs(interval));
