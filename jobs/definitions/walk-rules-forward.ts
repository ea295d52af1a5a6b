import Joi from 'joi';
import type { RuleWalkParams } from '../../compute/backtest/walk-rules-forward-task.js';
import { mostWalked, walkForwardFields } from '../../compute/backtest/walk-forward.js';
import { field } from '../../compute/model/field.js';
import { canonicalRules } from '../../compute/rules/canonical-rules.js';
import type { ResearchSweepRequest } from './sweep-rules.js';
import { defineSeriesJob } from './shared/series-job.js';

/** A walk-forward of rules as callers see it. */
export const researchWalkDescription = {
  params: {
    folds: field.integer('pairs of training and test', { min: 2, max: 10, default: 5 }),
    trainRatio: field.number('share of training in a pair, 0.5 to 0.9', { min: 0.5, max: 0.9, default: 0.7 }),
  },
  report: walkForwardFields,
  mostCombinations: mostWalked,
};

/** Fits parameters of rules on trainings, and trades them on the tests that follow. */
export const walkRulesForwardJob = defineSeriesJob({
  name: 'walk-rules-forward',
  queue: 'backtest',
  timeoutMs: 60_000,
  params: Joi.object<RuleWalkParams>({
    strategy: Joi.object().required(),
    settings: Joi.object().required(),
    combinations: Joi.array().items(Joi.object()).required(),
    asset: Joi.string().required(),
    folds: Joi.number().required(),
    trainRatio: Joi.number().required(),
  }),
});

/** The data of the job of a request. */
export const walkForwardData = (
  { asset, key, digest, strategy, settings, combinations }: ResearchSweepRequest,
  { folds, trainRatio }: { folds: number; trainRatio: number },
) => ({
  key,
  digest,
  params: { strategy: canonicalRules(strategy), settings, combinations, asset, folds, trainRatio },
});
