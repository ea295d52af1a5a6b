import Joi from 'joi';
import { checkedStrategy } from '../../../jobs/definitions/shared/checked-strategy.js';
import { mostStrategies } from '../../../storage/strategies/saved-strategies.js';
import { defineOperation } from '../../operation.js';
import { rulesInput, shownStrategy, strategyOutput, type RulesJson } from './saved-strategy-fields.js';

/** The hash of rules for some interval: the shortest one allows all others. Throws `invalid_input` for the first fault in them. */
export const checkedHash = (strategy: RulesJson): string => checkedStrategy(strategy, '5m').hash;

const { free, plus, pro } = mostStrategies;

export const saveStrategy = defineOperation({
  id: 'save-strategy',
  summary: `Saves a strategy as version 1; ${free} are kept on the plan free, ${plus} on plus, ${pro} on pro.`,
  scope: 'user',
  tokenScope: 'write:strategies',
  input: Joi.object<{ name: string; description: string; strategy: RulesJson }, true>({
    name: Joi.string()
      .trim()
      .min(1)
      .max(80)
      .pattern(/^[^\p{C}]+$/u, 'text without control characters')
      .required()
      .description('name of the strategy')
      .example('RSI below 30'),
    description: Joi.string()
      .allow('')
      .max(2_000)
      .default('')
      .description('what it is for, in your own words'),
    strategy: rulesInput,
  }),
  output: strategyOutput,
  errors: ['too_many_strategies'],
  leadsTo: ['get-saved-strategy', 'change-saved-strategy', 'share-strategy', 'delete-saved-strategy'].map(
    (to) => ({ to, fields: { id: 'payload/id' } }),
  ),
  async handle({ name, description, strategy: rules }, { storage }, { user }) {
    const hash = checkedHash(rules);
    const saved = await storage.savedStrategies.add(user!, { name, description, hash, rules });
    return { payload: shownStrategy(saved) };
  },
});
