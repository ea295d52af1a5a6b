import { indicators } from '../../../compute/indicators/index.js';
import { field } from '../../../compute/model/field.js';
import {
  paramsOf,
  type Indicator,
  type PriceColumn,
  type ParamSpec,
} from '../../../compute/model/indicator.js';
import { describedOperation } from './described-operation.js';

/** The parameters of a strategy or an indicator, as lists show them. */
export const paramListField = field.list(
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

export const paramList = (specs: Readonly<Record<string, ParamSpec>>) =>
  Object.entries(specs).map(([name, { title, min, max, default: defaultValue, step = 1 }]) => ({
    name,
    title,
    min,
    max,
    default: defaultValue,
    step,
  }));

/** Those of a list with the name, or all of them where none is given. */
export const named = <T extends { name: string }>(all: readonly T[], name: string | null): readonly T[] =>
  name === null ? all : all.filter((each) => each.name === name);

const names = indicators.map(({ name }) => name);

const input = {
  name: field.nullable(field.choice('one indicator; null: all', names), { default: null }),
};

const output = {
  indicators: field.list(
    'the indicators, in alphabetical order',
    field.object('an indicator', {
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
    }),
  ),
};

/** The candles before all lines have values, with the default parameters. */
const warmupOf = (indicator: Indicator<PriceColumn, string, string>): number => {
  const params = paramsOf(indicator.params);
  return Math.max(...indicator.outputs.map((output) => indicator.warmup(params, output)));
};

export const listIndicators = describedOperation({
  id: 'list-indicators',
  summary:
    'The indicators: what each measures, its formula and how to read it, its lines, warm-up and parameters with ranges.',
  input,
  output,
  async handle({ name }) {
    const chosen = named(indicators, name).map((indicator) => ({
      name: indicator.name,
      title: indicator.title,
      kind: indicator.kind,
      formula: indicator.formula,
      reading: indicator.reading,
      reference: indicator.reference,
      warmupCandles: warmupOf(indicator as unknown as Indicator<PriceColumn, string, string>),
      inputs: [...indicator.inputs],
      outputs: [...indicator.outputs],
      params: paramList(indicator.params),
    }));
    return { payload: { indicators: chosen } };
  },
});
