import Joi from 'joi';
import { field, type Values } from '../../../compute/model/field.js';
import { researchIntervals, type ResearchInterval } from '../../../compute/model/interval.js';
import { checkedStrategy } from '../../../jobs/definitions/shared/checked-strategy.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { strategyKeys } from './research-input.js';
import { rulesOf, type GivenStrategy } from './rules-of.js';

const output = {
  hash: field.text('names the rules: equal rules have equal hashes'),
  columns: field.list('the columns that the conditions read', field.text('a column')),
  warmup: field.count('candles before the first decision', { unit: 'candles' }),
  rules: field.list('the rules in plain English', field.text('a sentence')),
};

export const checkStrategy = defineOperation({
  id: 'check-strategy',
  summary:
    'Reads a strategy of rules: its hash, columns, warm-up and the rules in plain English; or its first fault.',
  isLight: true,
  input: Joi.object<{ strategy: GivenStrategy; params: Record<string, unknown>; interval: ResearchInterval }>(
    {
      ...strategyKeys,
      ...keysOf({ interval: field.choice('length of a candle', researchIntervals, { default: '1d' }) }),
    },
  ),
  output: Joi.object<Values<typeof output>>(keysOf(output, 'answer')),
  errors: ['unknown_strategy'],
  async handle({ strategy, params, interval }, deps, { user }) {
    const rules = await rulesOf(strategy, deps, user);
    const { hash, columns, warmup, words } = checkedStrategy(rules, interval, params);
    return { payload: { hash, columns, warmup, rules: words } };
  },
});
