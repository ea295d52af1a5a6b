import { field } from '../../../compute/model/field.js';
import { strategies, strategyNames } from '../../../compute/strategies/index.js';
import { describedOperation } from './described-operation.js';
import { named, paramList, paramListField } from './param-list.js';

const input = {
  name: field.nullable(field.choice('one strategy; null: all', strategyNames), { default: null }),
};

const output = {
  strategies: field.list(
    'the strategies, in alphabetical order',
    field.object('a strategy', {
      name: field.text('name of the strategy'),
      title: field.text('title'),
      rule: field.text('the rule in a sentence'),
      params: paramListField,
    }),
  ),
  assumptions: field.object('what every backtest assumes', {
    fill: field.text('at which price orders fill'),
    feePercent: field.number('fee of each side where none is given', { unit: 'percent' }),
    slippagePercent: field.number('slippage of each side where none is given', { unit: 'percent' }),
  }),
};

const assumptions = { fill: 'open of the next candle', feePercent: 0.1, slippagePercent: 0.05 };

/** The strategies that backtests accept. */
export const listStrategies = describedOperation({
  id: 'list-strategies',
  summary: 'The strategies that backtests accept: rule in words, parameters with ranges, assumptions.',
  input,
  output,
  async handle({ name }) {
    const chosen = named(strategies, name).map((strategy) => ({
      name: strategy.name,
      title: strategy.title,
      rule: strategy.rule,
      params: paramList(strategy.params),
    }));
    return { payload: { strategies: chosen, assumptions } };
  },
});
