import { studentQuantile } from './student.js';

/** A sum and the number of values in it, of one period. */
export interface PeriodSum {
  count: number;
  sum: number;
}

/** A figure over several periods, with its standard error. */
export interface Jackknife {
  value: number;
  error: number;
  /** The periods that count, less one. */
  degrees: number;
}

/**
 * A mean over all values of periods, or the difference of two means, with a standard error that allows any dependence
 * within a period: the delete-one-period jackknife, sqrt((n - 1) / n sum (without one - whole)^2) over the n periods that
 * have values of each mean or either. Miller, The Jackknife, Biometrika 61, 1974. Null without values, or where they are
 * all of one period.
 */
export function jackknifeMean(
  periods: readonly PeriodSum[],
  against: readonly PeriodSum[] | null = null,
): Jackknife | null {
  const whole = meanOf(periods, -1) - (against ? meanOf(against, -1) : 0);
  const has = (some: readonly PeriodSum[] | null) =>
    some?.filter(({ count }) => count > 0).length ?? Infinity;
  const count = Math.min(has(periods), has(against));
  if (!Number.isFinite(whole) || count < 2) return null;
  let squares = 0;
  for (let n = 0; n < periods.length; n++) {
    const without = meanOf(periods, n) - (against ? meanOf(against, n) : 0);
    squares += (without - whole) ** 2;
  }
  return { value: whole, error: Math.sqrt(((count - 1) / count) * squares), degrees: count - 1 };
}

/** The 95 % interval of a jackknifed figure by Student's distribution. */
export function jackknifeInterval({ value, error, degrees }: Jackknife): { low: number; high: number } {
  const reach = studentQuantile(degrees) * error;
  return { low: value - reach, high: value + reach };
}

/** The mean of all periods but one; NaN without values. */
function meanOf(periods: readonly PeriodSum[], without: number): number {
  let [count, sum] = [0, 0];
  for (let n = 0; n < periods.length; n++) {
    if (n === without) continue;
    count += periods[n].count;
    sum += periods[n].sum;
  }
  return sum / count;
}
