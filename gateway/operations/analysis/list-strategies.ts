import { field } from '../../../compute/model/field.js';
import { paramsOf } from '../../../compute/model/indicator.js';
import type { Strategy } from '../../../compute/model/strategy.js';
import { strategies, strategyNames } from '../../../compute/strategies/index.js';
import { backtestDescription } from '../../../jobs/definitions/backtest.js';
import { describedOperation } from './described-operation.js';
import { named, paramList, paramListField } from './list-indicators.js';

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
      minHistory: field.count('candles before the first decision, with the default parameters', {
        unit: 'candles',
      }),
      params: paramListField,
    }),
  ),
  assumptions: field.object('what every backtest assumes', {
    fill: field.text('at which price orders fill'),
    feePercent: field.number('fee of each side where none is given', { unit: 'percent' }),
    slippagePercent: field.number('slippage of each side where none is given', { unit: 'percent' }),
  }),
  exchangeFees: field.list(
    'spot fees of the base tier of exchanges; backtests charge the taker fee of the one that `exchange` names',
    field.object('the fees of an exchange', {
      exchange: field.text('name of the exchange'),
      makerPercent: field.number('fee of an order that waits in the book', { unit: 'percent' }),
      takerPercent: field.number('fee of an order that fills at once', { unit: 'percent' }),
      source: field.text("the exchange's own page of fees"),
      asOf: field.text('day to which the fees are valid, as in 2026-01-31'),
    }),
  ),
};

const { assumptions, exchangeFees } = backtestDescription;

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
      minHistory: (strategy as Strategy<string>).ready(paramsOf(strategy.params)),
      params: paramList(strategy.params),
    }));
    return { payload: { strategies: chosen, assumptions, exchangeFees } };
  },
});
