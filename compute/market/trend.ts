import { computeIndicator } from '../model/indicator.js';
import { psar } from '../indicators/psar.js';
import { supertrend } from '../indicators/supertrend.js';
import type { Candles } from '../model/candles.js';
import type { AdxReading, Direction } from '../model/risk-assessment.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { readAdx } from '../risk/adx.js';
import type { SeriesQuestion } from '../task.js';
import { holdingSince, type Holding } from './holding-since.js';
import { readIchimoku, type IchimokuReading } from './ichimoku.js';
import { readMovingAverages, type MovingAverages } from './moving-averages.js';
import { percentFrom, readAt, type ReadAt } from './read-at.js';
import { requireCandles } from './require-candles.js';

/** How many closed candles the reading needs at least; what needs more is null until it has them. */
export const trendCandles = 60;

export interface TrendReport extends ReadAt {
  /** ADX(14) with +DI and -DI. */
  adx: AdxReading;
  /** PSAR(0.02, 0.2): up where the close is above the stop. */
  psar: TrailingStop;
  /** Supertrend(10, 3). */
  supertrend: TrailingStop;
  ichimoku: IchimokuReading;
  movingAverages: MovingAverages;
}

/** A stop that follows price: on which side of it price is, and for how long it has been. */
export interface TrailingStop extends Holding {
  value: Direction;
  /** In quote units. */
  stop: number;
  /** How far the close lies above the stop, in percent of the stop. */
  distancePercent: number | null;
}

/** How strong and how old the trend is by the usual measures, each on its own. Throws `not_enough_history`. */
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
