import assert from 'node:assert/strict';
import { flipIndexes } from '../../../compute/core-line/core-line-tasks.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { stateName } from '../../../compute/model/core-line.js';
import { demoCandles, demoSeries } from '../../support/candles/demo-candles.js';
import { readDemoReference } from '../../support/candles/demo-reference.js';

describe('core line states on demo candles', () => {
  const reference = readDemoReference();
  for (const { pair, interval } of demoSeries) {
    it(`equal the reference on every ${interval} candle of ${pair}`, () => {
      const candles = demoCandles(pair, interval);
      const { flips } = reference[`${pair}-${interval}`];
      const turns = new Map(flips.map(([time, , to]) => [time, to]));
      let state: string | null = null;
      const expected = Array.from(candles.time, (time) => (state = turns.get(time) ?? state));
      const actual = computeCoreLine(candles).state;
      assert.deepEqual(Array.from(actual, stateName), expected);
      const times = flipIndexes(actual).map((at) => candles.time[at]);
      assert.deepEqual(
        times,
        flips.slice(1).map(([time]) => time),
      );
    });
  }
});
