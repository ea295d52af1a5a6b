/** The level that a p-value, corrected for the tests of its report, has to stay below to be called significant. */
export const significance = 0.05;

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

/** The same for tests of which some gave no p-value: these stay null and do not count. */
export function holmOrNull(pValues: readonly (number | null)[]): (number | null)[] {
  const adjusted = holm(pValues.filter((p) => p !== null));
  let next = 0;
  return pValues.map((p) => (p === null ? null : adjusted[next++]));
}
