import { allAnalyses } from '../../../compute/analyses.js';
import { field } from '../../../compute/model/field.js';
import { describedOperation } from './described-operation.js';
import { indicators } from '../../../compute/indicators/index.js';
import {
  paramsOf,
  type Indicator,
  type PriceColumn,
  type ParamSpec,
} from '../../../compute/model/indicator.js';
import type { Strategy } from '../../../compute/model/strategy.js';
import { strategies, strategyNames } from '../../../compute/strategies/index.js';
import { backtestDescription } from '../../../jobs/definitions/backtest.js';
import { shownOf } from '../output-fields.js';

const analysisFields = {
  name: field.text('name: ask with POST /backend/analysis/<name>'),
  title: field.text('title'),
  summary: field.text('what it answers'),
  scope: field.choice('who may ask: anybody, or a signed-in user', ['public', 'user']),
  cost: field.count('points that a request costs'),
};

export const listAnalyses = describedOperation({
  id: 'list-analyses',
  summary: 'Every analysis with what it answers, who may ask and what it costs.',
  output: {
    analyses: field.list(
      'every analysis, in alphabetical order',
      field.object('an analysis', analysisFields),
    ),
  },
  handle: async () => ({
    payload: { analyses: allAnalyses.map((analysis) => shownOf(analysisFields, analysis)) },
  }),
});

/** The parameters of a strategy or an indicator, as lists show them. */
const paramListField = field.list(
  'its parameters',
  field.object('a parameter', {
    name: field.text('name of the parameter'),
    title: field.text('what it means'),
    min: field.number('smallest value'),
    max: field.number('largest value'),
    default: field.number('value where none is given'),
    step: field.number('step between values; 1: whole numbers'),
  }),
);

const paramList = (specs: Readonly<Record<string, ParamSpec>>) =>
  Object.entries(specs).map(([name, { title, min, max, default: defaultValue, step = 1 }]) => ({
    name,
    title,
    min,
    max,
    default: defaultValue,
    step,
  }));

/** Those of a list with the name, or all of them where none is given. */
const named = <T extends { name: string }>(all: readonly T[], name: string | null): readonly T[] =>
  name === null ? all : all.filter((each) => each.name === name);

const names = indicators.map(({ name }) => name);

const input = {
  name: field.nullable(field.choice('one indicator; null: all', names), { default: null }),
};

const indicatorFields = {
  name: field.text('name of the indicator'),
  title: field.text('title'),
  kind: field.choice('what it measures', ['trend', 'oscillator', 'volatility', 'volume']),
  formula: field.text('formula in words'),
  reading: field.text('how people read the value'),
  reference: field.text('source of the formula'),
  warmupCandles: field.count(
    'candles before the first value of its slowest line, with the default parameters',
  ),
  inputs: field.list('columns of the candles that it reads', field.text('name of a column')),
  outputs: field.list('lines that it gives', field.text('name of a line')),
  params: paramListField,
};

/** The candles before all lines have values, with the default parameters. */
const warmupOf = (indicator: Indicator<PriceColumn, string, string>): number => {
  const params = paramsOf(indicator.params);
  return Math.max(...indicator.outputs.map((line) => indicator.warmup(params, line)));
};

export const listIndicators = describedOperation({
  id: 'list-indicators',
  summary:
    'The indicators: what each measures, its formula and how to read it, its lines, warm-up and parameters with ranges.',
  input,
  output: {
    indicators: field.list(
      'the indicators, in alphabetical order',
      field.object('an indicator', indicatorFields),
    ),
  },
  async handle({ name }) {
    const chosen = named(indicators, name).map((indicator) => ({
      ...shownOf(indicatorFields, indicator),
      warmupCandles: warmupOf(indicator as unknown as Indicator<PriceColumn, string, string>),
      inputs: [...indicator.inputs],
      outputs: [...indicator.outputs],
      params: paramList(indicator.params),
    }));
    return { payload: { indicators: chosen } };
  },
});

const listStrategiesInput = {
  name: field.nullable(field.choice('one strategy; null: all', strategyNames), { default: null }),
};

const listStrategiesOutput = {
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
  input: listStrategiesInput,
  output: listStrategiesOutput,
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
