/**
 * Compound yearly return / |maximum drawdown| (given in percent), both as fractions, a year being `perYear` candles. Young, 1991.
 * Null with fewer than two values of equity, without a drawdown, or where a
 * short window's growth is beyond any number in a year.
 */
export function calmar(equity: Float64Array, drawdown: number | null, perYear: number): number | null {
  if (equity.length < 2 || drawdown === null || drawdown === 0) return null;
  const growth = equity[equity.length - 1] / equity[0];
  const ratio = (growth ** (perYear / (equity.length - 1)) - 1) / Math.abs(drawdown / 100);
  return Number.isFinite(ratio) ? ratio : null;
}
