import { definePattern } from '../model/pattern.js';

/** A long black candle, and a white one that opens below its low and closes at it. */
export const onNeck = definePattern({
  name: 'onNeck',
  talib: 'ONNECK',
  title: 'On-Neck',
  candles: 2,
  warmup: 11,
  colours: ['BW'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.open(0) < bars.low(1) &&
      bars.isLong(1) &&
      bars.isAt(bars.close(0), bars.low(1), bars.equal(1))
      ? -100
      : 0;
  },
});
