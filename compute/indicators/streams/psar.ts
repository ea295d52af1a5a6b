import type { IndicatorStream } from '../../model/indicator.js';

/** The Parabolic Stop and Reverse, candle by candle. */
export function streamPsar(
  params: Readonly<Record<'step' | 'limit', number>>,
): IndicatorStream<'high' | 'low', 'psar'> {
  const { limit } = params;
  const slowest = Math.min(params.step, limit);
  const fresh = () => ({ index: -1, long: true, extreme: 0, stop: 0, pace: slowest, peak: 0, trough: 0 });
  const live = fresh();
  const step = (memory: typeof live, { high, low }: Record<'high' | 'low', number>) => {
    const index = ++memory.index;
    let { long, extreme, stop, pace, peak: peakBefore, trough: troughBefore } = memory;
    memory.peak = high;
    memory.trough = low;
    if (index === 0) return { psar: NaN };
    if (index === 1) {
      const fall = troughBefore - low;
      long = !(fall > 0 && fall > high - peakBefore);
      extreme = long ? high : low;
      stop = long ? troughBefore : peakBefore;
      [peakBefore, troughBefore] = [high, low];
    }
    if (long ? low <= stop : high >= stop) {
      stop = long ? Math.max(extreme, peakBefore, high) : Math.min(extreme, troughBefore, low);
      long = !long;
      extreme = long ? high : low;
      pace = slowest;
    } else if (long ? high > extreme : low < extreme) {
      extreme = long ? high : low;
      pace = Math.min(pace + slowest, limit);
    }
    const psar = stop;
    stop += pace * (extreme - stop);
    memory.stop = long ? Math.min(stop, troughBefore, low) : Math.max(stop, peakBefore, high);
    memory.long = long;
    memory.extreme = extreme;
    memory.pace = pace;
    return { psar };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
