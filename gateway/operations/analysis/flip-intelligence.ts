import Joi from 'joi';
import {
  viewLimits,
  type FlipPrice,
  type FlipStatistics,
  type FlipView,
} from '../../../compute/model/core-line.js';
import { defineOperation } from '../../operation.js';
import { headOf, isoTime, readCoreLine, type CoreLineHead } from './core-line.js';
import { flipsOutput } from './flip-intelligence-output.js';
import { findSeries, secondsToNextClose, seriesInput, type SeriesInput } from './series-input.js';

type Outcome = Omit<FlipView['outcome'], 'until'> & { until: string | null };

export interface FlipsOutput extends CoreLineHead {
  /** The closes of the next candle that change the state; null where there is none yet. */
  flipPrice: FlipPrice | null;
  statistics: FlipStatistics;
  /** Newest first. `date` is the open time of the candle on whose close the state changed. */
  flips: (Omit<FlipView, 'time' | 'outcome'> & { date: string; outcome: Outcome })[];
}

/** The latest changes of trend state of an asset: why each came about, and what the price did after it. */
export const flipIntelligence = defineOperation<SeriesInput & { limit: number }, FlipsOutput>({
  id: 'flip-intelligence',
  summary:
    'The latest changes of trend state of an asset: why each came about, and what the price did after it.',
  scope: 'public',
  cost: 1,
  hasEtag: true,
  input: Joi.object<SeriesInput & { limit: number }, true>({
    ...seriesInput,
    limit: Joi.number().integer().min(1).max(viewLimits.flips).default(20).description('most recent flips'),
  }),
  output: flipsOutput,
  async handle(input, deps, caller) {
    const series = await findSeries(input, deps);
    const { view } = await readCoreLine(series, () => deps.storage.coreLines.flips(series), deps, caller);
    return {
      payload: {
        ...headOf(input, series, view),
        flipPrice: view.flipPrice,
        statistics: view.statistics,
        flips: view.flips.slice(0, input.limit).map(({ time, outcome, ...flip }) => ({
          date: isoTime(time),
          ...flip,
          outcome: { ...outcome, until: outcome.until === null ? null : isoTime(outcome.until) },
        })),
      },
      ttl: secondsToNextClose(series),
      etag: `${series.digest.slice(0, 32)}-${input.limit}`,
    };
  },
});
