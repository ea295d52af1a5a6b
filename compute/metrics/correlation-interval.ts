import { field, type Values } from '../model/field.js';

/** A correlation with its 95 % confidence interval. */
export const correlationIntervalFields = {
  correlation: field.nullable(
    field.number("Pearson's correlation, -1 to 1; null where one of the two does not vary"),
  ),
  low: field.nullable(
    field.number('lower end of the 95 % interval of the correlation; null with fewer than four values'),
  ),
  high: field.nullable(field.number('upper end of that interval')),
};

export type CorrelationInterval = Values<typeof correlationIntervalFields>;

const z = 1.959963984540054;

/**
 * The 95 % interval of a correlation of `count` pairs of values: tanh(atanh(r) +/- z / sqrt(n - 3)). Assumes
 * independent pairs; fat tails make the true interval wider. Null with fewer than four pairs. Fisher, Metron 1, 1921.
 */
export function correlationInterval(correlation: number | null, count: number): CorrelationInterval {
  if (correlation === null || count < 4) return { correlation, low: null, high: null };
  const middle = Math.atanh(correlation);
  const reach = z / Math.sqrt(count - 3);
  return { correlation, low: Math.tanh(middle - reach), high: Math.tanh(middle + reach) };
}
