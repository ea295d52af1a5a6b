import { computeIndicator } from '../model/indicator.js';
import { sma } from '../indicators/sma.js';
import type { Candles } from '../model/candles.js';
import { field, type Value } from '../model/field.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { standings, type Standing } from '../model/standing.js';
import { priceRounding } from '../model/price-rounding.js';
import { candlesAgo, lastCross } from './last-cross.js';
import { percentFrom } from './read-at.js';

const periods = [10, 20, 50, 100, 200] as const;

/** A slope covers this many candles. */
const slopeCandles = 5;

const movingAverage = field.object('one average', {
  period: field.count('length', { unit: 'candles' }),
  value: field.nullable(
    field.number('the average; null where the history is shorter than the period', { unit: 'quote' }),
  ),
  distancePercent: field.nullable(
    field.number(
      'distance of the close from the average, as a share of the average; null without an average',
      { unit: 'percent' },
    ),
  ),
  slopePercent: field.nullable(
    field.number(
      'mean change per candle over the last 5, as a share of the average 5 candles ago; null without one then',
      {
        unit: 'percent',
      },
    ),
  ),
});

export type MovingAverage = Value<typeof movingAverage>;

export const movingAveragesField = field.object(
  'simple moving averages of the close, their order and slopes',
  {
    lines: field.list('the averages of 10, 20, 50, 100 and 200 candles', movingAverage),
    order: field.choice(
      'bullish where every known average is above the next longer one, bearish where each is below, else mixed',
      ['bullish', 'bearish', 'mixed'],
    ),
    bullishPairs: field.count('neighbours among the known averages of which the shorter is above'),
    bearishPairs: field.count('neighbours among the known averages of which the shorter is below'),
    longTerm: field.nullable(
      field.choice('the average of 50 candles against that of 200; null before there are both', standings),
    ),
    lastCross: field.nullable(
      field.object('the last cross of the averages of 50 and 200 candles; null where they never crossed', {
        kind: field.choice('golden: the 50 went above the 200; death: below it', ['golden', 'death']),
        time: field.time('open time of the candle'),
        candlesAgo,
      }),
    ),
  },
);

export type MovingAverages = Value<typeof movingAveragesField>;

/** The moving averages of the last candle, their order and slopes. Needs 50 candles. */
export function readMovingAverages(candles: Candles, scratch: ScratchBuffers): MovingAverages {
  const { time, close } = candles;
  const last = close.length - 1;
  const columns = periods.map((period) => computeIndicator(sma, candles, { period }, scratch).sma);
  const lines = columns.map((line, n) => readLine(line, periods[n], close[last]));
  const known = columns.map((line) => line[last]).filter((value) => !Number.isNaN(value));
  const rounding = priceRounding(close[last]);
  const gaps = known.slice(1).map((value, n) => known[n] - value);
  const bullishPairs = gaps.filter((gap) => gap > rounding).length;
  const bearishPairs = gaps.filter((gap) => gap < -rounding).length;
  const [, , fast, , slow] = columns;
  const cross = lastCross(time, fast, slow, rounding);
  const kind = cross?.way === 'up' ? 'golden' : 'death';
  return {
    lines,
    order: orderOf(gaps.length, bullishPairs, bearishPairs),
    bullishPairs,
    bearishPairs,
    longTerm: Number.isNaN(slow[last]) ? null : standingWithin(fast[last] - slow[last], rounding),
    lastCross: cross && { kind, time: cross.time, candlesAgo: cross.candlesAgo },
  };
}

function readLine(line: Float64Array, period: number, price: number): MovingAverage {
  const last = line.length - 1;
  const value = line[last];
  if (last < period - 1) return { period, value: null, distancePercent: null, slopePercent: null };
  const before = last - slopeCandles;
  const change = before < period - 1 ? null : percentFrom(line[before], value);
  return {
    period,
    value,
    distancePercent: percentFrom(value, price),
    slopePercent: change === null ? null : change / slopeCandles,
  };
}

function orderOf(pairs: number, bullish: number, bearish: number): MovingAverages['order'] {
  if (bullish === pairs) return 'bullish';
  return bearish === pairs ? 'bearish' : 'mixed';
}

/** What a distance speaks for; neutral within `reach` of 0. */
function standingWithin(distance: number, reach: number): Standing {
  if (distance > reach) return 'bullish';
  return distance < -reach ? 'bearish' : 'neutral';
}
