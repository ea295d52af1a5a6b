/**
 * The highest of `high` and the lowest of `low` in each of `count` windows of `period` candles, the first of which
 * starts at `from`; a fixed number of steps per candle, whatever the period (van Herk 1992, Gil and Werman 1993).
 */
export function slideRange(
  high: Float64Array,
  low: Float64Array,
  from: number,
  period: number,
  count: number,
  highest: Float64Array,
  lowest: Float64Array,
): void {
  for (let at = 0; at < count; at += period) {
    const start = from + at;
    const next = start + period;
    const stop = Math.min(period, count - at);
    let top = high[next - 1];
    let bottom = low[next - 1];
    for (let i = period - 1; i >= stop; i--) {
      top = Math.max(top, high[start + i]);
      bottom = Math.min(bottom, low[start + i]);
    }
    for (let i = stop - 1; i >= 0; i--) {
      top = Math.max(top, high[start + i]);
      bottom = Math.min(bottom, low[start + i]);
      highest[at + i] = top;
      lowest[at + i] = bottom;
    }
    top = high[next - 1];
    bottom = low[next - 1];
    for (let i = 1; i < stop; i++) {
      top = Math.max(top, high[next + i - 1]);
      bottom = Math.min(bottom, low[next + i - 1]);
      highest[at + i] = Math.max(highest[at + i], top);
      lowest[at + i] = Math.min(lowest[at + i], bottom);
    }
  }
}
