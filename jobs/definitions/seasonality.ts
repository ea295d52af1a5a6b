import Joi from 'joi';
import { seasons } from '../../compute/market/season-calendar.js';
import type { SeasonalityParams } from '../../compute/tasks/seasonality.js';
import { defineSeriesJob } from './shared/series-job.js';

/** Return, volatility and volume by hour or session (of 1h candles), weekday or month (of 1h to 1d candles). */
export const seasonalityJob = defineSeriesJob({
  name: 'seasonality',
  params: Joi.object<SeasonalityParams, true>({
    by: Joi.string()
      .valid(...seasons)
      .default('weekday'),
  }),
});
