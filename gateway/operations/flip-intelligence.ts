import Joi from 'joi';
import { viewLimits, type FlipView, type TrendState } from '../../compute/model/core-line.js';
import { defineOperation } from '../operation.js';
import { readCoreLine } from './core-line-source.js';
import { findSeries, secondsToNextClose, seriesInput, type SeriesInput } from './series-input.js';

type Outcome = Omit<FlipView['outcome'], 'until'> & { until: string | null };

export interface FlipsOutput {
  asset: string;
  tradeMarket: string;
  interval: string;
  state: TrendState | null;
  since: string | null;
  price: number;
  source: string;
  asOf: string;
  /** Newest first. `date` is the open time of the candle on whose close the state changed. */
  flips: (Omit<FlipView, 'time' | 'outcome'> & { date: string; outcome: Outcome })[];
}

const iso = (timeMs: number) => new Date(timeMs).toISOString();

/** The latest changes of trend state of an asset: why each came about, and what the price did after it. */
export const flipIntelligence = defineOperation<SeriesInput & { limit: number }, FlipsOutput>({
  id: 'flip-intelligence',
  scope: 'public',
  input: Joi.object<SeriesInput & { limit: number }, true>({
    ...seriesInput,
    limit: Joi.number().integer().min(1).max(viewLimits.flips).default(20).description('most recent flips'),
  }),
  async handle(input, deps, caller) {
    const series = await findSeries(input, deps);
    const stored = await readCoreLine(series, () => deps.storage.coreLines.flips(series), deps, caller);
    const { state, since, price, asOf } = stored.head;
    return {
      payload: {
        asset: input.asset,
        tradeMarket: input.tradeMarket,
        interval: input.interval,
        state,
        since: since === null ? null : iso(since),
        price,
        source: series.market,
        asOf: iso(asOf),
        flips: stored.flips.slice(0, input.limit).map(({ time, outcome, ...flip }) => ({
          date: iso(time),
          ...flip,
          outcome: { ...outcome, until: outcome.until === null ? null : iso(outcome.until) },
        })),
      },
      ttl: secondsToNextClose(series),
      etag: `${series.digest.slice(0, 32)}-${input.limit}`,
    };
  },
});
