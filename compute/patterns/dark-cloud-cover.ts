import { definePattern, penetration } from '../model/pattern.js';

/** A long white candle, and a black one that opens above its high and closes well into its body. */
export const darkCloudCover = definePattern({
  name: 'darkCloudCover',
  talib: 'DARKCLOUDCOVER',
  title: 'Dark Cloud Cover',
  candles: 2,
  warmup: 11,
  colours: ['WB'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  params: { penetration: penetration(0.5) },
  match(bars, { penetration }) {
    if (bars.open(0) <= bars.high(1) || !bars.isLong(1)) return 0;
    const depth = bars.body(1) * penetration;
    return bars.close(0) > bars.open(1) && bars.close(0) < bars.close(1) - depth ? -100 : 0;
  },
});
