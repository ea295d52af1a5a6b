import { field, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';
import { normalReach95 as z } from './normal.js';

/** A share of cases with its 95 % confidence interval. */
export const proportionField = (text: string) =>
  field.object(text, {
    count: field.count('cases'),
    share: field.nullable(field.number('share of the cases, 0 to 1; null without cases')),
    low: field.nullable(field.number('lower end of the 95 % interval, 0 to 1')),
    high: field.nullable(field.number('upper end of the 95 % interval, 0 to 1')),
    reason: nullReason,
  });

export type ProportionInterval = Value<ReturnType<typeof proportionField>>;

/** The share of successes in independent cases, with Wilson's score interval (JASA 22, 1927). */
export function proportionInterval(hits: number, count: number): ProportionInterval {
  if (count === 0) return { count, share: null, low: null, high: null, reason: 'there are no cases' };
  const share = hits / count;
  const weight = 1 + (z * z) / count;
  const middle = (share + (z * z) / (2 * count)) / weight;
  const reach = (z / weight) * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const low = hits === 0 ? 0 : middle - reach;
  const high = hits === count ? 1 : middle + reach;
  return { count, share, low, high, reason: null };
}
