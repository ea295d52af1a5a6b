import assert from 'node:assert/strict';
import { flipStatisticsAnalysis } from '../../../compute/core-line/flip-statistics-analysis.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { flipStatistics } from '../../../compute/core-line/core-line-tasks.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { stateCode } from '../../../compute/model/core-line.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles, demoPairs } from '../../support/candles/demo-candles.js';

describe('flip-statistics', () => {
  for (const pair of demoPairs)
    it(`counts how often the price of ${pair} moved to the side of the new state, as a loop over it does`, () => {
      const candles = demoCandles(pair, '1h');
      const { close } = candles;
      const { state } = computeCoreLine(candles);
      const { forwardReturns, durations, flips } = flipStatisticsAnalysis.run({
        candles,
        interval: '1h',
        params: {},
      });
      assert.deepEqual(durations, flipStatistics(close, state).durations);
      let changes = 0;
      const cases = new Map<string, [hits: number, count: number]>();
      // Only cases over different candles are independent.
      const freeFrom = new Map<string, number>();
      for (let i = 61; i < state.length; i++) {
        if (state[i] === state[i - 1]) continue;
        changes++;
        for (const candles of [5, 10, 20, 60]) {
          if (i + candles >= close.length) continue;
          const key = `${state[i - 1]} ${state[i]} ${candles}`;
          if (i < (freeFrom.get(key) ?? 0)) continue;
          freeFrom.set(key, i + candles);
          const [hits, count] = cases.get(key) ?? [0, 0];
          const isHit = state[i] === 1 ? close[i + candles] > close[i] : close[i + candles] < close[i];
          cases.set(key, [hits + Number(isHit), count + 1]);
        }
      }
      assert.equal(flips, changes);
      assert.ok(forwardReturns.length >= 12);
      for (const row of forwardReturns) {
        const key = `${stateCode[row.from]} ${stateCode[row.to]} ${row.candles}`;
        const [hits, count] = cases.get(key) ?? [0, 0];
        if (row.to === 'wait' || count === 0) {
          assert.deepEqual(
            [row.hitRatePercent, row.hitRateLowPercent, row.hitRateHighPercent],
            [null, null, null],
          );
          continue;
        }
        assertClose(row.hitRatePercent, (100 * hits) / count, key);
        assert.ok(
          row.hitRateLowPercent! <= row.hitRatePercent! && row.hitRatePercent! <= row.hitRateHighPercent!,
        );
        assert.ok(row.hitRateLowPercent! >= 0 && row.hitRateHighPercent! <= 100);
      }
    });

  it('refuses a history without a state', () => {
    const candles = sliceCandles(demoCandles('BTC_USDT', '1h'), 0, 60);
    assert.throws(() => flipStatisticsAnalysis.run({ candles, interval: '1h', params: {} }), {
      code: 'not_enough_history',
      message: 'a flip statistic needs 61 closed 1h candles, found 60',
    });
  });
});
