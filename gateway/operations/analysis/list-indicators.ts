import { indicators } from '../../../compute/indicators/index.js';
import { field } from '../../../compute/model/field.js';
import { describedOperation } from './described-operation.js';
import { named, paramList, paramListField } from './param-list.js';

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
      reference: field.text('source of the formula'),
      inputs: field.list('columns of the candles that it reads', field.text('name of a column')),
      outputs: field.list('lines that it gives', field.text('name of a line')),
      params: paramListField,
    }),
  ),
};

/** The indicators that can be asked for. */
export const listIndicators = describedOperation({
  id: 'list-indicators',
  summary:
    'The indicators: what each measures, its lines, its parameters with ranges, and the source of its formula.',
  input,
  output,
  async handle({ name }) {
    const chosen = named(indicators, name).map((indicator) => ({
      name: indicator.name,
      title: indicator.title,
      kind: indicator.kind,
      reference: indicator.reference,
      inputs: [...indicator.inputs],
      outputs: [...indicator.outputs],
      params: paramList(indicator.params),
    }));
    return { payload: { indicators: chosen } };
  },
});
