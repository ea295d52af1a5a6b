/**
 * Compound annual return / |maximum drawdown|. `drawdown` is given in percent, and a year has `perYear` candles. Null
 * with fewer than two values of equity, without a drawdown, or where the annual return overflows. Young, 1991.
 */
export function calmar(equity: Float64Array, drawdown: number | null, perYear: number): number | null {
  if (equity.length < 2 || drawdown === null || drawdown === 0) return null;
  const growth = equity[equity.length - 1] / equity[0];
  const ratio = (growth ** (perYear / (equity.length - 1)) - 1) / Math.abs(drawdown / 100);
  return Number.isFinite(ratio) ? ratio : null;
}
