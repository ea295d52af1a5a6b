/** The change from each number to the next, as fractions. */
export const naiveReturns = (values: readonly number[]): number[] =>
  values.slice(1).map((value, i) => (value - values[i]) / values[i]);

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Pearson's correlation as the mean product of standard scores, in the words of a textbook. */
export function naiveCorrelation(x: readonly number[], y: readonly number[]): number {
  const scores = (values: readonly number[]) => {
    const middle = average(values);
    const deviation = Math.sqrt(average(values.map((value) => (value - middle) ** 2)));
    return values.map((value) => (value - middle) / deviation);
  };
  const [a, b] = [scores(x), scores(y)];
  return average(a.map((score, i) => score * b[i]));
}
