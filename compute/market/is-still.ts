import type { Candles } from '../model/candles.js';

/** For how many candles price must have stood at one point. */
export const stillCandles = 14;

/**
 * Whether price has not moved at all for 14 candles. Indicators say something then too (an RSI of 0, a close on its
 * stop), but what they say has no meaning.
 */
export function isStill({ high, low }: Pick<Candles, 'high' | 'low'>): boolean {
  const [top, bottom] = [high.subarray(-stillCandles), low.subarray(-stillCandles)];
  return top.every((price, i) => price === top[0] && bottom[i] === top[0]);
}
