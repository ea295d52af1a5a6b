import Joi from 'joi';
import { createCandles } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { intervals } from '../../compute/model/interval.js';
import type { Market, Pair } from '../../storage/candles/series.js';
import type { JobTools } from '../job.js';
import { defineTaskJob } from './shared/task-job.js';

export type TrendStatePayload = Pair & {
  /** The version of the market as the caller knows it. */
  version: string;
};

/**
 * The trend state of one asset on every interval, and how far they agree, from its closed candles as they are stored
 * now. An interval without candles has no state. Throws `invalid_input` when none has any.
 */
export const trendStateJob = defineTaskJob({
  name: 'trend-state',
  payload: Joi.object<TrendStatePayload, true>({
    market: Joi.string<Market>().required(),
    base: Joi.string().required(),
    quote: Joi.string().required(),
    version: Joi.string().required(),
  }),
  ask: async ({ market, base, quote }, tools) => ({
    series: await loadIntervals({ market, base, quote }, tools),
  }),
});

async function loadIntervals(pair: Pair, { storage, candles: cache }: JobTools) {
  const all = await Promise.all(
    intervals.map(async (interval) => {
      const key = { ...pair, interval };
      const series = await storage.series.find(key);
      const candles = series ? (await cache.get(key, series.digest)).candles : createCandles(0);
      return { interval, candles };
    }),
  );
  if (all.some(({ candles }) => candles.time.length > 0)) return all;
  throw new AppError('invalid_input', `no candles of "${pair.base}/${pair.quote}" are stored`, {
    details: { field: 'asset' },
  });
}
