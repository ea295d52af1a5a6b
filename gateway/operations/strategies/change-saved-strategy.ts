import Joi from 'joi';
import { mostStrategyVersions } from '../../../storage/strategies/saved-strategy.js';
import { defineOperation } from '../../operation.js';
import { checkedHash } from './save-strategy.js';
import {
  rulesInput,
  shownStrategy,
  strategyId,
  strategyOutput,
  type RulesJson,
  type ShownStrategy,
} from './saved-strategy-fields.js';

interface ChangeSavedStrategyInput {
  id: string;
  strategy: RulesJson;
}

/** Saves other rules as a new version of a strategy. */
export const changeSavedStrategy = defineOperation<ChangeSavedStrategyInput, ShownStrategy>({
  id: 'change-saved-strategy',
  summary: `Saves other rules as a new version; equal rules make none. Beyond ${mostStrategyVersions} versions the oldest goes that is not shared.`,
  scope: 'user',
  tokenScope: 'write:strategies',
  cost: 1,
  input: Joi.object<ChangeSavedStrategyInput, true>({ id: strategyId, strategy: rulesInput }),
  output: strategyOutput,
  errors: ['unknown_strategy', 'too_many_strategies'],
  async handle({ id, strategy: rules }, { storage }, { user }) {
    const hash = checkedHash(rules);
    const changed = await storage.savedStrategies.addVersion(user!.userId, id, { hash, rules });
    return { payload: shownStrategy(changed) };
  },
});
