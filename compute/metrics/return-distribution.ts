import { field, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';
import { proportionInterval } from './mean-interval.js';
import { quantile } from './quantile.js';
import { mean } from './returns.js';

const percent = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));

/** Mean, quartiles and share of rises of returns; null without returns. */
export const returnDistributionField = (text: string) =>
  field.object(text, {
    count: field.count('returns in the sample'),
    independent: field.count('independent returns that the interval assumes; fewer where returns overlap'),
    meanPercent: percent('mean return'),
    lowerQuartilePercent: percent('25th percentile of the returns'),
    medianPercent: percent('median return'),
    upperQuartilePercent: percent('75th percentile of the returns'),
    upPercent: percent('share of the returns above 0'),
    upLowPercent: percent('lower end of the 95 % interval of that share (Wilson)'),
    upHighPercent: percent('upper end of that interval'),
    reason: nullReason,
  });

export type ReturnDistribution = Value<ReturnType<typeof returnDistributionField>>;

/**
 * Mean, quartiles and share of rises of returns in percent. `independent` is the number of returns that do not overlap;
 * the interval of the share is computed with that number.
 */
export function returnDistribution(
  percents: Float64Array,
  independent = percents.length,
): ReturnDistribution {
  const count = percents.length;
  const ascending = percents.slice().sort();
  const at = (share: number) => (count === 0 ? null : quantile(ascending, share));
  const share = count === 0 ? 0 : percents.filter((percent) => percent > 0).length / count;
  const { low, high } = proportionInterval(share * independent, independent);
  return {
    count,
    independent,
    meanPercent: count === 0 ? null : mean(percents),
    lowerQuartilePercent: at(0.25),
    medianPercent: at(0.5),
    upperQuartilePercent: at(0.75),
    upPercent: count === 0 ? null : share * 100,
    upLowPercent: low === null ? null : low * 100,
    upHighPercent: high === null ? null : high * 100,
    reason: count === 0 ? 'there are no returns' : null,
  };
}
