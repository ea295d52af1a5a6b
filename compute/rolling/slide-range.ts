/**
 * The highest of `high` and the lowest of `low` in each of `count` windows of `period` candles. The first window starts
 * at `from`. Highs and lows are interleaved in `extremes`, because writing one array is faster than writing two. The
 * cost per candle does not depend on the period (van Herk 1992, Gil and Werman 1993).
 *
 * The larger of two prices is unpredictable, so a branch (Math.max is one) is mispredicted half of the time. With
 * d = a - b, b + (d + |d|) / 2 is the larger without a branch, and exact while neither price is more than twice the
 * other. Where prices within two windows differ more, the chunk is computed again with comparisons.
 */
export function slideRange(
  high: Float64Array,
  low: Float64Array,
  from: number,
  period: number,
  count: number,
  extremes: Float64Array,
): void {
  let top = high[from + period - 1];
  let bottom = low[from + period - 1];
  for (let i = period - 1; i >= 0; i--) {
    const rise = high[from + i] - top;
    const fall = bottom - low[from + i];
    top += (rise + Math.abs(rise)) * 0.5;
    bottom -= (fall + Math.abs(fall)) * 0.5;
    extremes[2 * i] = top;
    extremes[2 * i + 1] = bottom;
  }
  let wild = Number(top > 2 * bottom);
  for (let at = 0; at < count; at += period) {
    // The head of a block completes the windows that start in the block before; its tail begins those that start in it.
    const next = from + at + period;
    const more = at + period < count;
    const stop = more ? period : count - at;
    let peak = high[next - 1];
    let trough = low[next - 1];
    if (more) {
      const last = next + period - 1;
      let head = high[last];
      let foot = low[last];
      let n = 2 * (at + 1);
      let m = 2 * (at + 2 * period - 1);
      for (let i = 0; i < period - 1; i++, n += 2, m -= 2) {
        const rise = high[next + i] - peak;
        const fall = trough - low[next + i];
        const back = high[last - i] - head;
        const down = foot - low[last - i];
        peak += (rise + Math.abs(rise)) * 0.5;
        trough -= (fall + Math.abs(fall)) * 0.5;
        head += (back + Math.abs(back)) * 0.5;
        foot -= (down + Math.abs(down)) * 0.5;
        const over = extremes[n] - peak;
        const under = trough - extremes[n + 1];
        extremes[n] = peak + (over + Math.abs(over)) * 0.5;
        extremes[n + 1] = trough - (under + Math.abs(under)) * 0.5;
        extremes[m] = head;
        extremes[m + 1] = foot;
      }
      const back = high[next] - head;
      const down = foot - low[next];
      head += (back + Math.abs(back)) * 0.5;
      foot -= (down + Math.abs(down)) * 0.5;
      extremes[m] = head;
      extremes[m + 1] = foot;
      wild += Number(head > 2 * foot) + Number(top > 2 * foot) + Number(head > 2 * bottom);
      top = head;
      bottom = foot;
    } else {
      for (let i = 1, n = 2 * (at + 1); i < stop; i++, n += 2) {
        const rise = high[next + i - 1] - peak;
        const fall = trough - low[next + i - 1];
        peak += (rise + Math.abs(rise)) * 0.5;
        trough -= (fall + Math.abs(fall)) * 0.5;
        const over = extremes[n] - peak;
        const under = trough - extremes[n + 1];
        extremes[n] = peak + (over + Math.abs(over)) * 0.5;
        extremes[n + 1] = trough - (under + Math.abs(under)) * 0.5;
      }
      wild += Number(peak > 2 * trough) + Number(top > 2 * trough) + Number(peak > 2 * bottom);
    }
  }
  if (wild > 0) compareRange(high, low, from, period, count, extremes);
}

/** The same with comparisons: exact for all prices, also for zero and negative ones. */
function compareRange(
  high: Float64Array,
  low: Float64Array,
  from: number,
  period: number,
  count: number,
  extremes: Float64Array,
): void {
  for (let at = 0; at < count; at += period) {
    const next = from + at + period;
    const stop = Math.min(period, count - at);
    let top = high[next - 1];
    let bottom = low[next - 1];
    for (let i = period - 1; i >= 0; i--) {
      top = Math.max(top, high[next - period + i]);
      bottom = Math.min(bottom, low[next - period + i]);
      extremes[2 * (at + i)] = top;
      extremes[2 * (at + i) + 1] = bottom;
    }
    top = high[next - 1];
    bottom = low[next - 1];
    for (let i = 1; i < stop; i++) {
      top = Math.max(top, high[next + i - 1]);
      bottom = Math.min(bottom, low[next + i - 1]);
      const n = 2 * (at + i);
      extremes[n] = Math.max(extremes[n], top);
      extremes[n + 1] = Math.min(extremes[n + 1], bottom);
    }
  }
}
