import Joi from 'joi';
import type { RuleSurveyParams } from '../../compute/backtest/survey-rules-task.js';
import { defineSeriesJob } from './shared/series-job.js';

/** The window of a sweep of rules. */
export const surveyRulesJob = defineSeriesJob({
  name: 'survey-rules',
  queue: 'backtest',
  timeoutMs: 60_000,
  params: Joi.object<RuleSurveyParams>({
    strategy: Joi.object().required(),
    settings: Joi.object().required(),
    combinations: Joi.array().items(Joi.object()).required(),
    asset: Joi.string().required(),
  }),
});
