import { defineAnalysis } from '../analysis.js';
import { indicators } from '../indicators/index.js';
import { firstCandleFrom } from '../model/candles.js';
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
  last: field.count('candles whose values are returned, the last ones, or the last before `before`', {
    min: 1,
    max: 1_000,
    default: 20,
  }),
  before: field.nullable(
    field.time('only candles that opened before this time, to scroll back; null: up to the last'),
    { default: null },
  ),
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
  const { time } = candles;
  const to = params.before === null ? time.length : firstCandleFrom(time, params.before);
  const range = [Math.max(0, to - params.last), to] as const;
  return {
    ...readAt(question),
    times: [...time.subarray(...range)],
    closes: [...candles.close.subarray(...range)],
    indicators: params.indicators.map((choice) =>
      scratch.within(() => columnsOf(choice, range, question, scratch)),
    ),
  };
}

function columnsOf(
  choice: IndicatorChoice,
  range: readonly [from: number, to: number],
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
    values: Array.from(columns[output].subarray(...range), known),
  }));
  return { name, title, kind, params, outputs };
}
