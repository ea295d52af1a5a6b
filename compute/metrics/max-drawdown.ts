/** The minimum of equity / running maximum - 1, in percent, 0 or below; null without equity. */
export function maxDrawdown(equity: Float64Array): number | null {
  if (equity.length === 0) return null;
  let peak = equity[0];
  let lowest = 0;
  let floor = peak;
  for (let i = 1; i < equity.length; i++) {
    const value = equity[i];
    if (value > peak) {
      peak = value;
      floor = peak * (1 + lowest);
    } else if (value < floor) {
      lowest = Math.min(lowest, value / peak - 1);
      floor = value;
    }
  }
  return lowest * 100;
}
