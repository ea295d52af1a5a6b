import { computeIndicator } from '../model/indicator.js';
import { psar } from '../indicators/psar.js';
import { supertrend } from '../indicators/supertrend.js';
import type { Candles } from '../model/candles.js';
import { field, type Values } from '../model/field.js';
import { adxField } from '../model/risk-assessment.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { directions } from '../model/standing.js';
import { readAdx } from '../risk/assess-risk.js';
import type { SeriesQuestion } from '../task.js';
import { ichimokuField, readIchimoku } from './ichimoku.js';
import { movingAveragesField, readMovingAverages } from './moving-averages.js';
import { percentFrom, readAt, readAtFields } from './read-at.js';
import { requireCandles } from './require-candles.js';

/** How long a state has held without a break up to the last candle. */
export const holdingFields = {
  since: field.time('open time of the first candle of the state'),
  candles: field.count('candles in the state, the last included', { unit: 'candles' }),
};

type HoldingSince = Values<typeof holdingFields>;

/** How long the state of the last candle has held; looks back to index `first`. */
export function holdingSince(time: Float64Array, first: number, holds: (i: number) => boolean): HoldingSince {
  const last = time.length - 1;
  const now = holds(last);
  let start = last;
  while (start > first && holds(start - 1) === now) start--;
  return { since: time[start], candles: last - start + 1 };
}

/** The closed candles that the reading needs; fields that need more are null until then. */
export const trendCandles = 60;

const trailingStopFields = {
  value: field.choice('up where the close is above the stop', directions),
  stop: field.number('the stop', { unit: 'quote' }),
  distancePercent: field.nullable(
    field.number('distance of the close from the stop, as a share of the stop; null where the stop is 0', {
      unit: 'percent',
    }),
  ),
  ...holdingFields,
};

type TrailingStop = Values<typeof trailingStopFields>;

export const trendFields = {
  ...readAtFields,
  adx: adxField,
  psar: field.object('the parabolic stop, PSAR(0.02, 0.2)', trailingStopFields),
  supertrend: field.object('the stop of Supertrend(10, 3)', trailingStopFields),
  ichimoku: ichimokuField,
  movingAverages: movingAveragesField,
};

export type TrendReport = Values<typeof trendFields>;

/** The trend by each of the usual measures. Throws `not_enough_history`. */
export function reportTrend(question: SeriesQuestion, scratch = new ScratchBuffers()): TrendReport {
  requireCandles('a trend reading', question, trendCandles);
  const { candles } = question;
  const { close } = candles;
  const parabolic = computeIndicator(psar, candles, {}, scratch).psar;
  const trailing = computeIndicator(supertrend, candles, {}, scratch);
  const first = supertrend.params.period.default;
  return {
    ...readAt(question),
    adx: readAdx(candles, scratch),
    psar: stopOf(candles, parabolic, 1, (i) => close[i] > parabolic[i]),
    supertrend: stopOf(candles, trailing.supertrend, first, (i) => trailing.direction[i] > 0),
    ichimoku: readIchimoku(candles, scratch),
    movingAverages: readMovingAverages(candles, scratch),
  };
}

function stopOf(
  { time, close }: Candles,
  stops: Float64Array,
  first: number,
  isUp: (i: number) => boolean,
): TrailingStop {
  const last = time.length - 1;
  const stop = stops[last];
  return {
    value: isUp(last) ? 'up' : 'down',
    stop,
    distancePercent: percentFrom(stop, close[last]),
    ...holdingSince(time, first, isUp),
  };
}
