import Joi from 'joi';
import {
  indicatorNames,
  type IndicatorChoice,
  type IndicatorValuesParams,
} from '../../compute/market/indicator-values.js';
import { defineSeriesJob } from './shared/series-job.js';

/** Up to six indicators of a pair as numbers. The ranges of their parameters are those of their metadata: the task checks them. */
export const indicatorValuesJob = defineSeriesJob({
  name: 'indicator-values',
  params: Joi.object<IndicatorValuesParams>({
    indicators: Joi.array()
      .items(
        Joi.object<IndicatorChoice>({
          name: Joi.string()
            .valid(...indicatorNames)
            .required(),
          params: Joi.object().pattern(Joi.string(), Joi.number()).default({}),
        }),
      )
      .min(1)
      .max(6)
      .required(),
    last: Joi.number().integer().min(1).max(100).default(20),
  }),
});
