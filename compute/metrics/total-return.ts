/** (last equity / first - 1) in percent; null without equity. */
export function totalReturn(equity: Float64Array): number | null {
  return equity.length === 0 ? null : (equity[equity.length - 1] / equity[0] - 1) * 100;
}
