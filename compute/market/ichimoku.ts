import { computeIndicator } from '../model/indicator.js';
import { ichimoku } from '../indicators/ichimoku.js';
import { sliceCandles, type Candles } from '../model/candles.js';
import { field, type Value } from '../model/field.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { standings } from '../model/standing.js';
import { standingOf } from '../risk/cross.js';
import { priceRounding } from '../model/price-rounding.js';
import { lastCross, lastCrossField } from './last-cross.js';

const cloud = field.object(
  'the cloud at the last candle, computed 26 candles before; null with fewer than 78',
  {
    top: field.number('upper edge', { unit: 'quote' }),
    bottom: field.number('lower edge', { unit: 'quote' }),
    position: field.choice('where the close is; on an edge it is inside', ['above', 'inside', 'below']),
    colour: field.choice('senkou A against senkou B', standings),
  },
);

export type Cloud = Value<typeof cloud>;

export const ichimokuField = field.object('Ichimoku Kinko Hyo (9, 26, 52)', {
  tenkan: field.number('conversion line', { unit: 'quote' }),
  kijun: field.number('base line', { unit: 'quote' }),
  value: field.choice('tenkan against kijun', standings),
  lastCross: field.nullable(lastCrossField),
  cloud: field.nullable(cloud),
  ahead: field.choice('colour of the cloud 26 candles ahead: senkou A against B as computed now', standings),
  lagging: field.choice('the close against the close 26 candles before', standings),
});

export type IchimokuReading = Value<typeof ichimokuField>;

const shift = ichimoku.params.shift.default;
const longest = ichimoku.params.senkou.default;

/** Only these last candles are computed, unless they hold no cross: then the whole history is. */
const recentCandles = 1000;

/** The lines and the cloud on the last candle. Needs 52 candles. */
export function readIchimoku(candles: Candles, scratch: ScratchBuffers): IchimokuReading {
  const { length } = candles.close;
  const recent = sliceCandles(candles, Math.max(0, length - recentCandles), length);
  // Every line depends on the extremes of a window alone, so a part of the series gives the same values.
  const reading = readLines(recent, scratch);
  return reading.lastCross || length <= recentCandles ? reading : readLines(candles, scratch);
}

function readLines(candles: Candles, scratch: ScratchBuffers): IchimokuReading {
  const { time, close } = candles;
  const { tenkan, kijun, senkou_a, senkou_b } = computeIndicator(ichimoku, candles, {}, scratch);
  const last = close.length - 1;
  const tail = sliceCandles(candles, last + 1 - longest, last + 1);
  const next = computeIndicator(ichimoku, tail, { shift: 0 });
  return {
    tenkan: tenkan[last],
    kijun: kijun[last],
    value: standingOf(tenkan[last], kijun[last]),
    lastCross: lastCross(time, tenkan, kijun, priceRounding(close[last])),
    cloud: last < longest - 1 + shift ? null : cloudOf(senkou_a[last], senkou_b[last], close[last]),
    ahead: standingOf(next.senkou_a[longest - 1], next.senkou_b[longest - 1]),
    lagging: standingOf(close[last], close[last - shift]),
  };
}

function cloudOf(senkouA: number, senkouB: number, price: number): Cloud {
  const top = Math.max(senkouA, senkouB);
  const bottom = Math.min(senkouA, senkouB);
  return {
    top,
    bottom,
    position: price > top ? 'above' : price < bottom ? 'below' : 'inside',
    colour: standingOf(senkouA, senkouB),
  };
}
