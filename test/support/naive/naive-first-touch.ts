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

/**
 * The number of independent trades that these are worth for the mean of a value: what open trades share by candles, or
 * what Bartlett's kernel over twice the limit finds, if that is less.
 */
export function naiveIndependent(
  trades: readonly { start: number; candles: number }[],
  values: readonly number[],
  limit: number,
): number {
  const open = new Map<number, number>();
  let lasted = 0;
  for (const { start, candles } of trades)
    for (let at = start + 1; at <= start + candles; at++) {
      open.set(at, (open.get(at) ?? 0) + 1);
      lasted++;
    }
  const shared = [...open.values()].reduce((sum, each) => sum + each * each, 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviationAt = new Map(trades.map(({ start }, k) => [start, values[k] - mean]));
  let [alone, together] = [0, 0];
  for (const [start, deviation] of deviationAt) {
    alone += deviation ** 2;
    for (let lag = -2 * limit; lag <= 2 * limit; lag++)
      together += (1 - Math.abs(lag) / (2 * limit + 1)) * deviation * (deviationAt.get(start + lag) ?? 0);
  }
  const byVariance = together > 1e-9 ? Math.max(1, (trades.length * alone) / together) : trades.length;
  return Math.min((trades.length * lasted) / shared, byVariance);
}
