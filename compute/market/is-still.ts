import type { Candles } from '../model/candles.js';

/** Candles over which the price must not have moved. */
export const stillCandles = 14;

/**
 * Whether price has not moved at all for 14 candles. Indicators have values then too (an RSI of 0, a close on its stop),
 * but these have no meaning.
 */
export function isStill({ high, low }: Pick<Candles, 'high' | 'low'>): boolean {
  const [top, bottom] = [high.subarray(-stillCandles), low.subarray(-stillCandles)];
  return top.every((price, i) => price === top[0] && bottom[i] === top[0]);
}
