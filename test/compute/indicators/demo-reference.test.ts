import assert from 'node:assert/strict';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { adx } from '../../../compute/indicators/adx.js';
import { atr } from '../../../compute/indicators/atr.js';
import { ema } from '../../../compute/indicators/ema.js';
import { kama } from '../../../compute/indicators/kama.js';
import { candleColumns } from '../../../compute/model/candles.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles, demoSeries } from '../../support/candles/demo-candles.js';
import { readDemoReference } from '../../support/candles/demo-reference.js';

describe('indicators on demo candles', () => {
  const reference = readDemoReference();
  for (const { pair, interval } of demoSeries) {
    it(`equal the reference on sampled ${interval} candles of ${pair}`, () => {
      const candles = demoCandles(pair, interval);
      const { rows, first, last, samples } = reference[`${pair}-${interval}`];
      assert.deepEqual([candles.time.length, candles.time[0], candles.time.at(-1)], [rows, first, last]);
      const direction = computeIndicator(adx, candles);
      const columns = {
        kama: computeIndicator(kama, candles).kama,
        atr: computeIndicator(atr, candles).atr,
        adx: direction.adx,
        plusDi: direction.pdi,
        minusDi: direction.mdi,
        ema20: computeIndicator(ema, candles, { period: 20 }).ema,
        ema50: computeIndicator(ema, candles, { period: 50 }).ema,
      };
      assert.ok(samples.length > 5);
      for (const sample of samples) {
        const { index } = sample;
        for (const name of candleColumns)
          assertClose(candles[name][index], sample[name], `${name} at ${index}`);
        for (const [name, column] of Object.entries(columns)) {
          const value = Number.isNaN(column[index]) ? null : column[index];
          assertClose(value, sample[name as keyof typeof columns], `${name} at ${index}`);
        }
      }
    });
  }
});
