import { computeIndicator, type Indicator, type PriceColumn } from '../model/indicator.js';
import { indicators } from '../indicators/index.js';
import { AppError } from '../model/errors.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { checkIndicatorParams } from './indicator-params.js';
import { known, readAt, type ReadAt } from './read-at.js';
import { requireCandles } from './require-candles.js';

/** An indicator by name, with the parameters that are to differ from its defaults. */
export interface IndicatorChoice {
  name: string;
  params?: Readonly<Record<string, number>>;
}

export interface IndicatorValuesParams {
  indicators: readonly IndicatorChoice[];
  /** How many of the last candles are asked for. */
  last: number;
}

/** Columns over the last candles, oldest first. */
export interface IndicatorValues extends ReadAt {
  /** Open times in ms, UTC. */
  times: number[];
  closes: number[];
  indicators: IndicatorColumns[];
}

export interface IndicatorColumns {
  name: string;
  title: string;
  kind: Indicator<PriceColumn, string, string>['kind'];
  /** All of them, defaults included. */
  params: Record<string, number>;
  outputs: {
    name: string;
    /** How many candles come before the first that has a value, counted from the first of the history. */
    warmup: number;
    /** One value per time; null before the warm-up is over. */
    values: (number | null)[];
  }[];
}

type AnyIndicator = Indicator<PriceColumn, string, string>;

const all = indicators as unknown as readonly AnyIndicator[];

export const indicatorNames: readonly string[] = all.map(({ name }) => name);

/**
 * The values of indicators on the last candles, each computed over the whole history, without a word on what they mean.
 * Throws `not_enough_history` without a candle, `invalid_input` for an indicator or parameter that there is not.
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
    indicators: params.indicators.map((choice, n) =>
      scratch.within(() => columnsOf(choice, `indicators[${n}]`, from, question, scratch)),
    ),
  };
}

function columnsOf(
  choice: IndicatorChoice,
  field: string,
  from: number,
  { candles }: SeriesQuestion,
  scratch: ScratchBuffers,
): IndicatorColumns {
  const indicator = all.find(({ name }) => name === choice.name);
  if (!indicator)
    throw new AppError('invalid_input', `there is no indicator "${choice.name}"`, {
      details: { field: `${field}.name` },
    });
  const { name, title, kind } = indicator;
  const params = checkIndicatorParams(name, indicator.params, choice.params ?? {}, `${field}.params`);
  const columns = computeIndicator(indicator, candles, params, scratch);
  const outputs = indicator.outputs.map((output) => ({
    name: output,
    warmup: indicator.warmup(params, output),
    values: Array.from(columns[output].subarray(from), known),
  }));
  return { name, title, kind, params, outputs };
}
