import type { IndicatorStream } from '../../indicator.js';

/** The Parabolic Stop and Reverse, candle by candle. */
export function streamPsar(
  params: Readonly<Record<'step' | 'limit', number>>,
): IndicatorStream<'high' | 'low', 'psar'> {
  const { limit } = params;
  const step = Math.min(params.step, limit);
  let index = -1;
  let long = true;
  let [extreme, stop, pace] = [0, 0, step];
  let [peak, trough] = [0, 0];
  return {
    next({ high, low }) {
      index++;
      let [peakBefore, troughBefore] = [peak, trough];
      [peak, trough] = [high, low];
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
        pace = step;
      } else if (long ? high > extreme : low < extreme) {
        extreme = long ? high : low;
        pace = Math.min(pace + step, limit);
      }
      const psar = stop;
      stop += pace * (extreme - stop);
      stop = long ? Math.min(stop, troughBefore, low) : Math.max(stop, peakBefore, high);
      return { psar };
    },
  };
}
