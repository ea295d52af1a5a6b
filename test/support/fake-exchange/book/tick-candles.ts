import type { Decimal } from '../../../../compute/model/decimal.js';
import type { BookTick } from './matching-engine.js';

export const minuteMs = 60_000;

/** A candle of the prices that are kept; prices are decimals as text. */
export interface TickCandle extends Record<'open' | 'high' | 'low' | 'close', string> {
  startMs: number;
  count: number;
}

/** The candles of prices from a time on, the oldest first. */
export function candlesOf(ticks: readonly BookTick[], spanMs: number, sinceMs: number): TickCandle[] {
  const rows = new Map<number, Decimal[]>();
  for (const { at, price } of ticks) {
    const startMs = Math.floor(at / spanMs) * spanMs;
    if (startMs >= sinceMs) rows.set(startMs, [...(rows.get(startMs) ?? []), price]);
  }
  return [...rows].map(([startMs, prices]) => ({ startMs, count: prices.length, ...candleOf(prices) }));
}

/** What some prices are as one candle. */
export function candleOf(prices: readonly Decimal[]): Record<'open' | 'high' | 'low' | 'close', string> {
  const sorted = [...prices].sort((one, other) => one.compare(other));
  const ends = [prices[0], sorted.at(-1)!, sorted[0], prices.at(-1)!];
  const [open, high, low, close] = ends.map(String);
  return { open, high, low, close };
}
