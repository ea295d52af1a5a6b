import assert from 'node:assert/strict';
import { flipPriceAnalysis } from '../../../compute/core-line/flip-price-analysis.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { copyCandles, createCandles, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { stateName } from '../../../compute/model/core-line.js';
import { demoCandles, demoPairs } from '../../support/candles/demo-candles.js';

const read = (candles: Candles) => flipPriceAnalysis.run({ candles, interval: '1d', params: {} });

/** The state after one more candle that opens at the last close and closes at `close`, without wicks. */
function stateAfter(candles: Candles, close: number) {
  const count = candles.time.length;
  const more = createCandles(count + 1);
  copyCandles(candles, more, 0);
  const open = candles.close[count - 1];
  more.time[count] = candles.time[count - 1] + 86_400_000;
  more.open[count] = open;
  more.high[count] = Math.max(open, close);
  more.low[count] = Math.min(open, close);
  more.close[count] = close;
  return stateName(computeCoreLine(more).state[count]);
}

describe('flip-price', () => {
  for (const pair of demoPairs)
    it(`names closes of ${pair} that bring each state, as the rule says of a candle that closes there`, () => {
      const candles = demoCandles(pair, '1d');
      for (let count = 100; count <= candles.time.length; count += 37) {
        const part = sliceCandles(candles, 0, count);
        const last = part.close[count - 1];
        const { state, unmoved, targets, price, candles: found } = read(part);
        assert.deepEqual([found, price], [count, last]);
        assert.equal(state, stateName(computeCoreLine(part).state[count - 1]));
        assert.equal(unmoved, stateAfter(part, last));
        assert.equal(targets.length, 2);
        for (const { to, nearest } of targets) {
          if (nearest === null) continue;
          assert.equal(stateAfter(part, nearest.close), to);
          assert.equal(nearest.percent, (nearest.close / last - 1) * 100);
        }
      }
    });

  it('refuses a history without a state', () => {
    assert.throws(() => read(sliceCandles(demoCandles('BTC_USDT', '1d'), 0, 60)), {
      code: 'not_enough_history',
      message: 'a flip price needs 61 closed 1d candles, found 60',
    });
  });
});
