import { defineIndicator } from '../model/indicator.js';
import { slideRange } from '../rolling/slide-range.js';
import { chunk, createScratchOfPairs, longestWindow } from '../rolling/scratch.js';

const extremes = createScratchOfPairs();

/** The midpoints of the highest high and the lowest low of `period` candles, written `shift` candles later. */
function fillMiddles(
  high: Float64Array,
  low: Float64Array,
  period: number,
  shift: number,
  out: Float64Array,
): void {
  const length = high.length - shift;
  for (let end = period - 1; end < length; end += chunk) {
    const count = Math.min(chunk, length - end);
    slideRange(high, low, end - period + 1, period, count, extremes);
    for (let i = end + shift, n = 0; n < 2 * count; i++, n += 2) out[i] = (extremes[n] + extremes[n + 1]) / 2;
  }
}

/**
 * Midpoints of the range over three periods. Senkou A and B bound the cloud at the candle: their values were computed
 * `shift` candles before. The lagging line is left out, because it is the close drawn `shift` candles back.
 */
export const ichimoku = defineIndicator({
  name: 'ichimoku',
  title: 'Ichimoku Kinko Hyo',
  formula:
    'means of the highest high and lowest low over 9, 26 and 52 candles; the cloud lies between their projections 26 candles ahead',
  reading:
    'price above the cloud: upward, below: downward, within: undecided; conversion above base line supports it',
  kind: 'trend',
  reference: 'Hosoda, Ichimoku Kinko Hyo, 1969',
  inputs: ['high', 'low'],
  outputs: ['tenkan', 'kijun', 'senkou_a', 'senkou_b'],
  params: {
    tenkan: { min: 1, max: longestWindow, default: 9, title: 'Candles of the conversion line' },
    kijun: { min: 1, max: longestWindow, default: 26, title: 'Candles of the base line' },
    senkou: { min: 1, max: longestWindow, default: 52, title: 'Candles of senkou B' },
    shift: { min: 0, max: longestWindow, default: 26, title: 'Candles by which the cloud runs ahead' },
  },
  warmup({ tenkan, kijun, senkou, shift }, output) {
    if (output === 'tenkan') return tenkan - 1;
    if (output === 'kijun') return kijun - 1;
    return (output === 'senkou_a' ? Math.max(tenkan, kijun) : senkou) - 1 + shift;
  },
  fill({ high, low }, { tenkan, kijun, senkou, shift }, out) {
    const { senkou_a: ahead } = out;
    fillMiddles(high, low, tenkan, 0, out.tenkan);
    fillMiddles(high, low, kijun, 0, out.kijun);
    fillMiddles(high, low, senkou, shift, out.senkou_b);
    for (let i = Math.max(tenkan, kijun) - 1 + shift; i < ahead.length; i++) {
      ahead[i] = (out.tenkan[i - shift] + out.kijun[i - shift]) / 2;
    }
  },
});
