import { proportionInterval } from './proportion-interval.js';
import { quantile } from './quantile.js';
import { mean } from './returns.js';

/** How returns lie, in percent; null of none. */
export interface ReturnDistribution {
  count: number;
  /** As how many independent ones they count; the interval rests on it. */
  independent: number;
  meanPercent: number | null;
  lowerQuartilePercent: number | null;
  medianPercent: number | null;
  upperQuartilePercent: number | null;
  /** Those above 0, in percent of all, with Wilson's 95 % interval. */
  upPercent: number | null;
  upLowPercent: number | null;
  upHighPercent: number | null;
}

/**
 * Mean, quartiles and the share of rises of returns in percent. Where they overlap, `independent` is how many of them do
 * not: the interval of the share is that of so few.
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
  };
}
