/**
 * P-values made fit for having asked several questions at once: where an adjusted one is below 0.05, the chance that any
 * of all such claims is false is below 5 %. In the order given. Holm, A Simple Sequentially Rejective Multiple Test
 * Procedure, 1979.
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues.map((_, index) => index).sort((a, b) => pValues[a] - pValues[b]);
  const adjusted = new Array<number>(pValues.length);
  let highest = 0;
  ascending.forEach((index, rank) => {
    highest = Math.max(highest, Math.min(1, pValues[index] * (pValues.length - rank)));
    adjusted[index] = highest;
  });
  return adjusted;
}
