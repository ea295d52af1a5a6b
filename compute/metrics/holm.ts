/**
 * P-values corrected for how many were looked at: the chance that any of them is this small although none is real. In
 * the order given. Holm's step-down procedure (Scand. J. Statist. 6, 1979), which assumes nothing about how they depend
 * on one another.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((left, right) => pValues[left] - pValues[right]);
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, pValues[index] * (pValues.length - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}
