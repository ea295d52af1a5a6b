import { defineAnalysis } from '../analysis.js';
import { indicators } from '../indicators/index.js';
import { countOf } from '../model/count-of.js';
import { field, type Value, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import {
  computeIndicator,
  indicatorKinds,
  paramsOf,
  type Indicator,
  type PriceColumn,
} from '../model/indicator.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { known, readAt, readAtFields } from './read-at.js';
import { requireCandles } from './require-candles.js';

type AnyIndicator = Indicator<PriceColumn, string, string>;

const byName = new Map(
  (indicators as unknown as readonly AnyIndicator[]).map((indicator) => [indicator.name, indicator]),
);

const indicatorChoice = field.object('an indicator with its parameters', {
  name: field.choice('name of the indicator', [...byName.keys()]),
  params: field.params(
    'parameters of the indicator by name; the others keep their defaults',
    'name',
    Object.fromEntries([...byName].map(([name, { params }]) => [name, { params }])),
  ),
});

export type IndicatorChoice = Value<typeof indicatorChoice>;

const indicatorValuesParams = {
  indicators: field.list('indicators to compute', indicatorChoice, {
    min: 1,
    max: 6,
    example: [{ name: 'rsi', params: { period: 7 } }],
  }),
  last: field.count('candles whose values are returned, the last ones', { min: 1, max: 100, default: 20 }),
};

export type IndicatorValuesParams = Values<typeof indicatorValuesParams>;

const indicatorColumns = field.object('the values of an indicator', {
  name: field.text('name of the indicator'),
  title: field.text('name in words'),
  kind: field.choice('kind of the indicator', indicatorKinds),
  params: field.record('all its parameters, defaults included', field.number('value of the parameter')),
  outputs: field.list(
    'one for each line of the indicator',
    field.object('a line', {
      name: field.text('name of the line'),
      warmup: field.count('candles at the start of the history that have no value', { unit: 'candles' }),
      values: field.list('one for each time', field.nullable(field.number('null during the warm-up'))),
    }),
  ),
});

export type IndicatorColumns = Value<typeof indicatorColumns>;

const indicatorValuesOutput = field.object('values of indicators on the last candles', {
  ...readAtFields,
  times: field.list('open times of the candles, the oldest first', field.time('open time')),
  closes: field.list('one for each time', field.number('close', { unit: 'quote' })),
  indicators: field.list('one for each indicator, in the order asked', indicatorColumns),
});

export type IndicatorValues = Value<typeof indicatorValuesOutput>;

/** Indicators as numbers, without interpretation. */
export const indicatorValues = defineAnalysis({
  name: 'indicator-values',
  title: 'Indicator values',
  summary:
    'Values of 1 to 6 indicators of an asset on its last candles, with parameters of choice; no interpretation.',
  needs: 'series',
  params: indicatorValuesParams,
  output: indicatorValuesOutput,
  scope: 'public',
  tool: {
    name: 'get_indicator_values',
    headline: ({ asset, interval, indicators, closes }) =>
      `${asset} on ${interval}, the last of ${countOf(closes.length, 'value')}: ${indicators.map(lastValues).join('; ')}.`,
  },
  cost: 2,
  run: (question, scratch) => listIndicatorValues(question, scratch),
});

/** Such as "macd: macd -3179, signal 301, histogram -3480"; an indicator of one line is named once. */
function lastValues({ name, outputs }: IndicatorColumns): string {
  const last = outputs.map(({ name: line, values }) => {
    const value = values.at(-1) ?? null;
    return `${outputs.length === 1 ? '' : `${line} `}${value === null ? 'none yet' : formatNumber(value)}`;
  });
  return `${name}${outputs.length === 1 ? '' : ':'} ${last.join(', ')}`;
}

/**
 * The values of indicators on the last candles, each computed over the whole history. Takes names and parameters that
 * the description allows. Throws `not_enough_history` without a candle.
 */
export function listIndicatorValues(
  question: SeriesQuestion<IndicatorValuesParams>,
  scratch = new ScratchBuffers(),
): IndicatorValues {
  requireCandles('a list of indicator values', question, 1);
  const { candles, params } = question;
  const from = Math.max(0, candles.time.length - params.last);
  return {
    ...readAt(question),
    times: [...candles.time.subarray(from)],
    closes: [...candles.close.subarray(from)],
    indicators: params.indicators.map((choice) =>
      scratch.within(() => columnsOf(choice, from, question, scratch)),
    ),
  };
}

function columnsOf(
  choice: IndicatorChoice,
  from: number,
  { candles }: SeriesQuestion,
  scratch: ScratchBuffers,
): IndicatorColumns {
  const indicator = byName.get(choice.name)!;
  const { name, title, kind } = indicator;
  const params = paramsOf(indicator.params, choice.params);
  const columns = computeIndicator(indicator, candles, params, scratch);
  const outputs = indicator.outputs.map((output) => ({
    name: output,
    warmup: indicator.warmup(params, output),
    values: Array.from(columns[output].subarray(from), known),
  }));
  return { name, title, kind, params, outputs };
}
