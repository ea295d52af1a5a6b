import type { Decimal } from '../../../../compute/model/decimal.js';
import type { BookTick } from './matching-engine.js';

const minuteMs = 60_000;

/** A candle of one minute; prices are decimals as text. */
export interface MinuteCandle {
  startMs: number;
  open: string;
  high: string;
  low: string;
  close: string;
}

/** The candles of prices from a time on, the oldest first. */
export function minuteCandles(ticks: readonly BookTick[], sinceMs: number): MinuteCandle[] {
  const minutes = new Map<number, Decimal[]>();
  for (const { at, price } of ticks) {
    const startMs = Math.floor(at / minuteMs) * minuteMs;
    if (startMs >= sinceMs) minutes.set(startMs, [...(minutes.get(startMs) ?? []), price]);
  }
  return [...minutes].map(([startMs, prices]) => {
    const sorted = [...prices].sort((one, other) => one.compare(other));
    const [open, high, low, close] = [prices[0], sorted.at(-1)!, sorted[0], prices.at(-1)!].map(String);
    return { startMs, open, high, low, close };
  });
}
