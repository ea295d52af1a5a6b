import { computeIndicator } from '../model/indicator.js';
import { ichimoku } from '../indicators/ichimoku.js';
import { sliceCandles, type Candles } from '../model/candles.js';
import type { Standing } from '../model/risk-assessment.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { standingOf } from '../risk/cross.js';
import { lastCross, priceRounding, type LastCross } from './last-cross.js';

/** Ichimoku Kinko Hyo (9, 26, 52) on the last candle; prices in quote units. */
export interface IchimokuReading {
  tenkan: number;
  kijun: number;
  /** Tenkan against kijun, and when it last crossed it. */
  value: Standing;
  lastCross: LastCross | null;
  /** The cloud as it stands at the candle, that is, computed 26 candles before; null before 78 candles. */
  cloud: Cloud | null;
  /** What colour the cloud will have 26 candles ahead: senkou A against B as computed now. */
  ahead: Standing;
  /** The lagging line: the close against the close 26 candles before. */
  lagging: Standing;
}

export interface Cloud {
  top: number;
  bottom: number;
  /** Where the close is; on an edge it is inside. */
  position: 'above' | 'inside' | 'below';
  /** Senkou A against senkou B. */
  colour: Standing;
}

const shift = ichimoku.params.shift.default;
const longest = ichimoku.params.senkou.default;

/** How much of the past is enough, unless the last cross lies before it. */
const recentCandles = 1000;

/** Needs 52 candles. */
export function readIchimoku(candles: Candles, scratch: ScratchBuffers): IchimokuReading {
  const { length } = candles.close;
  const recent = sliceCandles(candles, Math.max(0, length - recentCandles), length);
  // Every line is made of extremes of a window: they are the same in a part of the series.
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
