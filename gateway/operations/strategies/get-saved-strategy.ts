import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import {
  shownStrategy,
  strategyId,
  strategyOutput,
  versionNumber,
  type ShownStrategy,
} from './saved-strategy-fields.js';
import { versionOfStrategy } from './version-of-strategy.js';

interface GetSavedStrategyInput {
  id: string;
  version?: number;
}

/** A strategy of the user, with the rules of one version. */
export const getSavedStrategy = defineOperation<GetSavedStrategyInput, ShownStrategy>({
  id: 'get-saved-strategy',
  summary: 'A saved strategy with the rules of its newest version, or of the one that is asked for.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 1,
  isLight: true,
  input: Joi.object<GetSavedStrategyInput>({
    id: strategyId,
    version: versionNumber.description('the version whose rules are shown; the newest by default'),
  }),
  output: strategyOutput,
  errors: ['unknown_strategy'],
  async handle({ id, version }, { storage }, { user }) {
    const strategy = await storage.savedStrategies.find(user!.userId, id);
    return { payload: shownStrategy(strategy, versionOfStrategy(strategy, version)) };
  },
});
