/**
 * P-values corrected for multiple testing, in the order given. Holm's step-down procedure (Scand. J. Statist. 6, 1979)
 * controls the family-wise error rate under any dependence between the tests.
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
