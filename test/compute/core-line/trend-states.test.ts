import assert from 'node:assert/strict';
import { readTrendStates } from '../../../compute/core-line/trend-states.js';
import { viewCoreLine } from '../../../compute/core-line/core-line-tasks.js';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { atr } from '../../../compute/indicators/atr.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { intervals } from '../../../compute/model/interval.js';
import { demoCandles, demoPairs } from '../../support/candles/demo-candles.js';

describe('readTrendStates', () => {
  for (const pair of demoPairs)
    it(`says of ${pair} what the view of each interval says, with the ATR, and how far they agree`, () => {
      const series = intervals.map((interval) => ({ interval, candles: demoCandles(pair, interval) }));
      const { intervals: found, agreement } = readTrendStates(series);
      for (const [n, { interval, candles }] of series.entries()) {
        const view = viewCoreLine(candles, interval);
        const { state, since, candlesInState, daysInState, price, asOf } = view;
        const { picture, ...plain } = found[n];
        assert.equal(picture!.structure, state);
        assert.deepEqual(plain, {
          ...{ interval, state, since, candlesInState, daysInState, price, asOf },
          color: { accumulate: '#3ca691', wait: '#6B6588', distribute: '#B767DE' }[state!],
          atr: computeIndicator(atr, candles, { period: 14 }).atr.at(-1),
          reason: null,
        });
      }
      const value = { accumulate: 1, wait: 0, distribute: -1 };
      const sum = found.reduce((total, { state }) => total + value[state!], 0);
      assert.equal(agreement.score, sum / 3);
      assert.equal(agreement.known, 3);
    });

  it('leaves out of the agreement what has no state yet', () => {
    const candles = demoCandles('BTC_USDT', '1d');
    const part = (count: number) => ({ interval: '1d', candles: sliceCandles(candles, 0, count) }) as const;
    const { intervals: found, agreement } = readTrendStates([part(200), part(60), part(14), part(0)]);
    assert.deepEqual(
      found.map(({ state, atr }) => [state === null, atr === null]),
      [
        [false, false],
        [true, false],
        [true, true],
        [true, true],
      ],
    );
    assert.deepEqual(
      found.map(({ reason }) => reason),
      [
        null,
        'the trend state needs 61 candles, found 60',
        'the trend state needs 61 candles, found 14; the ATR needs 15 candles, found 14',
        'the trend state needs 61 candles, found 0; the ATR needs 15 candles, found 0',
      ],
    );
    assert.deepEqual([agreement.known, found[3].price], [1, null]);
    assert.deepEqual(readTrendStates([]).agreement.score, null);
  });
});
