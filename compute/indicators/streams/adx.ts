import type { IndicatorStream } from '../../indicator.js';

/** Average Directional Index with +DI and -DI, candle by candle. */
export function streamAdx({
  period,
}: Readonly<{ period: number }>): IndicatorStream<'high' | 'low' | 'close', 'adx' | 'pdi' | 'mdi'> {
  const share = 1 / period;
  const smoothing = 1 - share;
  let index = -1;
  let [highBefore, lowBefore, before] = [0, 0, 0];
  let [rangeSum, upSum, downSum, average] = [0, 0, 0, 0];
  return {
    next({ high, low, close }) {
      index++;
      const up = Math.max(high - highBefore, 0);
      const down = Math.max(lowBefore - low, 0);
      const range = Math.max(high, before) - Math.min(low, before);
      [highBefore, lowBefore, before] = [high, low, close];
      if (index === 0) return { adx: NaN, pdi: NaN, mdi: NaN };
      const kept = index < period ? 1 : smoothing;
      rangeSum = rangeSum * kept + range;
      upSum = upSum * kept + up * Number(up > down);
      downSum = downSum * kept + down * Number(down > up);
      if (index < period) return { adx: NaN, pdi: NaN, mdi: NaN };
      const scale = rangeSum > 1e-300 ? 100 / rangeSum : 0;
      const both = (upSum + downSum) * scale;
      if (both > 0) {
        const part = (100 * Math.abs(upSum - downSum)) / (upSum + downSum);
        average += (index < 2 * period ? part : part - average) * share;
      }
      return { adx: index < 2 * period - 1 ? NaN : average, pdi: upSum * scale, mdi: downSum * scale };
    },
  };
}
