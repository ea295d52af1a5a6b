import type { IndicatorStream } from '../../model/indicator.js';

/** Average Directional Index with +DI and -DI, candle by candle. */
export function streamAdx({
  period,
}: Readonly<{ period: number }>): IndicatorStream<'high' | 'low' | 'close', 'adx' | 'pdi' | 'mdi'> {
  const share = 1 / period;
  const smoothing = 1 - share;
  const fresh = () => ({
    index: -1,
    high: 0,
    low: 0,
    close: 0,
    rangeSum: 0,
    upSum: 0,
    downSum: 0,
    average: 0,
  });
  const live = fresh();
  const step = (memory: typeof live, { high, low, close }: Record<'high' | 'low' | 'close', number>) => {
    const index = ++memory.index;
    // The larger of each move and 0, computed as in the batch.
    const rise = high - memory.high;
    const fall = memory.low - low;
    const up = (rise + Math.abs(rise)) * 0.5;
    const down = (fall + Math.abs(fall)) * 0.5;
    const range = Math.max(high, memory.close) - Math.min(low, memory.close);
    memory.high = high;
    memory.low = low;
    memory.close = close;
    if (index === 0) return { adx: NaN, pdi: NaN, mdi: NaN };
    const kept = index < period ? 1 : smoothing;
    const rangeSum = (memory.rangeSum = memory.rangeSum * kept + range);
    const upSum = (memory.upSum = memory.upSum * kept + up * Number(up > down));
    const downSum = (memory.downSum = memory.downSum * kept + down * Number(down > up));
    if (index < period) return { adx: NaN, pdi: NaN, mdi: NaN };
    const scale = rangeSum > 1e-300 ? 100 / rangeSum : 0;
    const both = (upSum + downSum) * scale;
    if (both > 0) {
      const part = (100 * Math.abs(upSum - downSum)) / (upSum + downSum);
      memory.average += (index < 2 * period ? part : part - memory.average) * share;
    }
    const adx = index < 2 * period - 1 ? NaN : memory.average;
    return { adx, pdi: upSum * scale, mdi: downSum * scale };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
