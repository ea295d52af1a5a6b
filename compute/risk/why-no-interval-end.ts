import type { QuantileInterval } from '../metrics/quantile.js';
import { reasonsOf } from '../model/null-reason.js';

/** Why the interval of a loss, from that of the returns, lacks an end; null where it has both. */
export const whyNoIntervalEnd = ({ low, high }: QuantileInterval, independent: number): string | null => {
  const worth = `${Math.floor(independent)} independent returns`;
  return reasonsOf(
    low === null && `${worth} hold no loss as large as the upper end`,
    high === null && `${worth} hold no loss as small as the lower end`,
  );
};
