import type { Candles } from '../../../compute/model/candles.js';

export interface NaiveTouch {
  start: number;
  outcome: 'target' | 'stop' | 'neither';
  candles: number;
  multiple: number;
}

/** Follows a long or short, by distances in percent of each close, candle by candle. */
export function naiveFirstTouches(
  { open, high, low, close }: Candles,
  side: 'long' | 'short',
  targetPercent: number,
  stopPercent: number,
  limit: number,
): NaiveTouch[] {
  const found: NaiveTouch[] = [];
  for (let start = 14; start + limit < close.length; start++) {
    const entry = close[start];
    const up = side === 'long';
    const target = entry * (1 + ((up ? 1 : -1) * targetPercent) / 100);
    const stop = entry * (1 - ((up ? 1 : -1) * stopPercent) / 100);
    const risk = Math.abs(entry - stop);
    const gain = (price: number) => (up ? price - entry : entry - price) / risk;
    let touch: NaiveTouch | undefined;
    for (let n = 1; n <= limit && !touch; n++) {
      const i = start + n;
      if (up ? low[i] <= stop : high[i] >= stop) {
        const price = up ? Math.min(stop, open[i]) : Math.max(stop, open[i]);
        touch = { start, outcome: 'stop', candles: n, multiple: gain(price) };
      } else if (up ? high[i] >= target : low[i] <= target)
        touch = { start, outcome: 'target', candles: n, multiple: targetPercent / stopPercent };
    }
    found.push(touch ?? { start, outcome: 'neither', candles: limit, multiple: gain(close[start + limit]) });
  }
  return found;
}

/** The sum of the mean uniqueness of trades, each over the candles after its start. */
export function naiveUniqueness(trades: readonly { start: number; candles: number }[]): number {
  const livesOf = ({ start, candles }: { start: number; candles: number }) =>
    Array.from({ length: candles }, (_, n) => start + 1 + n);
  const sharing = new Map<number, number>();
  for (const trade of trades) for (const at of livesOf(trade)) sharing.set(at, (sharing.get(at) ?? 0) + 1);
  return trades.reduce((sum, trade) => {
    const lives = livesOf(trade);
    return sum + lives.reduce((part, at) => part + 1 / sharing.get(at)!, 0) / lives.length;
  }, 0);
}
