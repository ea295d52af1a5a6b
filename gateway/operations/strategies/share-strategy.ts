import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import {
  shownStrategy,
  strategyId,
  strategyOutput,
  versionNumber,
  type ShownStrategy,
} from './saved-strategy-fields.js';

interface ShareStrategyInput {
  id: string;
  version: number;
  shared: boolean;
}

/** Shares a version of a strategy by its hash, or ends that. */
export const shareStrategy = defineOperation<ShareStrategyInput, ShownStrategy>({
  id: 'share-strategy',
  summary: 'Lets everyone who knows the hash of a version read, run and copy its rules, or ends that.',
  scope: 'user',
  tokenScope: 'write:strategies',
  cost: 1,
  input: Joi.object<ShareStrategyInput, true>({
    id: strategyId,
    version: versionNumber.required().description('the version').example(1),
    shared: Joi.boolean().required().description('true: it is shared; false: no longer').example(true),
  }),
  output: strategyOutput,
  errors: ['unknown_strategy'],
  async handle({ id, ...share }, { storage }, { user }) {
    return { payload: shownStrategy(await storage.savedStrategies.share(user!.userId, id, share)) };
  },
});
