import type { ScratchBuffers } from '../model/scratch-buffers.js';

/** The change of equity from each candle to the next, as fractions, 0 from 0: one value fewer than `equity` has. */
export function candleReturns(equity: Float64Array, scratch?: ScratchBuffers): Float64Array {
  const count = Math.max(0, equity.length - 1);
  const returns = scratch?.column(count) ?? new Float64Array(count);
  for (let i = 0; i < returns.length; i++) returns[i] = equity[i] === 0 ? 0 : equity[i + 1] / equity[i] - 1;
  return returns;
}

/** The arithmetic mean; NaN without values. */
export function mean(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** (last equity / first - 1) in percent; null without equity. */
export function totalReturn(equity: Float64Array): number | null {
  return equity.length === 0 ? null : (equity[equity.length - 1] / equity[0] - 1) * 100;
}
