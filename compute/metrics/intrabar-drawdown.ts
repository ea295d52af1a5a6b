/**
 * The maximum drawdown down to the lows within candles: the minimum of the lowest equity during a candle / the highest equity
 * at an earlier close - 1, in percent, 0 or below; null without equity. It is never milder than the drawdown on closes. Peaks
 * are closes, because within a candle it is unknown whether its high or its low came first.
 */
export function intrabarDrawdown(equity: Float64Array, lowestEquity: Float64Array): number | null {
  if (equity.length === 0) return null;
  let peak = equity[0];
  let lowest = 0;
  let floor = peak;
  for (let i = 1; i < equity.length; i++) {
    if (lowestEquity[i] < floor) {
      lowest = Math.min(lowest, lowestEquity[i] / peak - 1);
      floor = lowestEquity[i];
    }
    if (equity[i] > peak) {
      peak = equity[i];
      floor = peak * (1 + lowest);
    }
  }
  return lowest * 100;
}
