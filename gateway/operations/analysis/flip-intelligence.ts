import Joi from 'joi';
import { seriesFields } from '../../../compute/model/asset-fields.js';
import { field, type Values } from '../../../compute/model/field.js';
import { keysOf, objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import {
  flipField,
  flipPriceFields,
  flipStatisticsFields,
  viewLimits,
} from '../../../compute/model/core-line.js';
import { defineOperation } from '../../operation.js';
import { headOf, readCoreLine, coreLineHead } from './core-line.js';
import { presenterOf } from './described-operation.js';
import { findSeries, secondsToNextClose } from './series-input.js';
import type { Answered } from '../output-fields.js';

const output = {
  flipPrice: field.nullable(field.object('closes of the next candle that change the state', flipPriceFields)),
  statistics: field.object('what states and flips brought over the whole history', flipStatisticsFields),
  flips: field.list('newest first', flipField),
};

const presentFlips = presenterOf(output.flips);

type FlipIntelligence = Answered<typeof coreLineHead> & Values<typeof output>;

export const flipIntelligence = defineOperation({
  id: 'flip-intelligence',
  summary:
    'The latest changes of trend state of an asset: why each came about, and what the price did after it.',
  hasEtag: true,
  input: objectSchema({
    ...seriesFields,
    limit: field.integer('most recent flips', { min: 1, max: viewLimits.flips, default: 20 }),
  }),
  output: Joi.object<FlipIntelligence>({ ...coreLineHead, ...keysOf(output, 'answer') }),
  errors: ['market_filling'],
  async handle(input, deps, caller) {
    const series = await findSeries(input, deps);
    const { view } = await readCoreLine(series, () => deps.storage.coreLines.flips(series), deps, caller);
    return {
      payload: {
        ...headOf(input, series, view),
        flipPrice: view.flipPrice,
        statistics: view.statistics,
        flips: presentFlips(
          view.flips.slice(0, input.limit).map(({ time, ...flip }) => ({ date: time, ...flip })),
        ) as FlipIntelligence['flips'],
      },
      ttl: secondsToNextClose(series),
      etag: `${series.digest.slice(0, 32)}-${input.limit}`,
    };
  },
});
