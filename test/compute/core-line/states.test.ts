import assert from 'node:assert/strict';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { stateName } from '../../../compute/model/core-line.js';
import { createRandom } from '../../../compute/model/random.js';
import { assertClose } from '../../support/numbers/close-to.js';
import {
  describeWithSharedData,
  sharedCandles,
  sharedPairs,
  sharedRows,
  sharedSeries,
} from '../../support/candles/shared-data.js';

describeWithSharedData('core line states on real candles', () => {
  for (const { pair, interval } of sharedSeries) {
    it(`equal the reference on every ${interval} candle of ${pair}`, () => {
      const candles = sharedCandles(pair, interval);
      const flips = new Map(
        sharedRows(`reference/core-line/${pair}-${interval}.flips.csv.gz`).map(([time, , to]) => [
          Number(time),
          to,
        ]),
      );
      let state: string | null = null;
      const expected = Array.from(candles.time, (time) => (state = flips.get(time) ?? state));
      const actual = Array.from(computeCoreLine(candles).state, stateName);
      assert.deepEqual(actual, expected);
    });

    it(`of a cut ${interval} series of ${pair} are the prefix of the full ones, for 200 cuts`, () => {
      const candles = sharedCandles(pair, interval);
      const whole = computeCoreLine(candles).state;
      const { uint32 } = createRandom(200);
      for (let n = 0; n < 200; n++) {
        const cut = uint32() % (whole.length + 1);
        const part = computeCoreLine(sliceCandles(candles, 0, cut)).state;
        assert.ok(Buffer.from(part.buffer).equals(Buffer.from(whole.buffer, 0, cut)), `cut at ${cut}`);
      }
    }).timeout(120_000);
  }

  for (const pair of sharedPairs) {
    it(`rest on a line, ATR and ADX equal to the reference on 1d candles of ${pair}`, () => {
      const { line, atr, adx } = computeCoreLine(sharedCandles(pair, '1d'));
      sharedRows(`reference/core-line/${pair}-1d.columns.csv.gz`).forEach((row, i) => {
        [line, atr, adx].forEach((column, c) => {
          const expected = row[c + 1] === '' ? null : Number(row[c + 1]);
          assertClose(Number.isNaN(column[i]) ? null : column[i], expected, `column ${c} at ${i}`);
        });
      });
    });
  }
});
