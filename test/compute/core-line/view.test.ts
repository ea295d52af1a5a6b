import assert from 'node:assert/strict';
import { flipPrice } from '../../../compute/core-line/flip-price.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { viewCoreLine } from '../../../compute/core-line/core-line-tasks.js';
import { stateCode, stateName, viewColumns } from '../../../compute/model/core-line.js';
import { candleColumns, sliceCandles } from '../../../compute/model/candles.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { assertSameBits } from '../../support/numbers/same-bits.js';

const candles = demoCandles('BTC_USDT', '1h');
const first = (count: number) => sliceCandles(candles, 0, count);

describe('viewCoreLine', () => {
  it('has no state, since or flip before the 61st candle, and waits from there on', () => {
    for (const count of [1, 2, 14, 28, 60]) {
      const { state, since, price, asOf, flips, columns } = viewCoreLine(first(count), '1h');
      assert.deepEqual([state, since, flips], [null, null, []]);
      assert.deepEqual([price, asOf], [candles.close[count - 1], candles.time[count - 1] + 3_600_000]);
      assert.ok(columns.state.every((code) => code === stateCode.none));
      for (const name of viewColumns) assert.equal(columns[name].length, count, name);
    }
    const { state, since } = viewCoreLine(first(61), '1h');
    assert.deepEqual([state, since], ['wait', candles.time[60]]);
  });

  it('keeps the last 1,000 candles and 200 flips', () => {
    const view = viewCoreLine(candles, '1h');
    assert.equal(view.flips.length, 200);
    for (const column of candleColumns)
      assertSameBits(view.columns[column], candles[column].slice(-1_000), column);
    for (const name of viewColumns) assert.equal(view.columns[name].length, 1_000, name);
    const short = viewCoreLine(first(999), '1h');
    assert.equal(short.columns.time.length, 999);
    assert.ok(short.flips.length < 200);
  });

  it('shows line, band edges half an ATR off it, and states, of the whole series', () => {
    const { line, atr, state } = computeCoreLine(candles);
    const { columns } = viewCoreLine(candles, '1h');
    assertSameBits(columns.line, line.slice(-1_000), 'line');
    columns.line.forEach((value, i) => {
      const reach = 0.5 * atr[atr.length - 1_000 + i];
      assert.deepEqual([columns.upper[i], columns.lower[i]], [value + reach, value - reach]);
    });
    assert.deepEqual(Array.from(columns.state), Array.from(state.slice(-1_000)));
  });

  it('says since when the state holds, at any time', () => {
    const { state } = computeCoreLine(candles);
    for (const count of [62, 100, 555, 5_000, candles.time.length]) {
      let start = count - 1;
      while (start > 60 && state[start - 1] === state[count - 1]) start--;
      const view = viewCoreLine(first(count), '1h');
      assert.equal(view.state, stateName(state[count - 1]));
      assert.equal(view.since, candles.time[start]);
      if (view.flips.length > 0)
        assert.deepEqual([view.flips[0].time, view.flips[0].to], [view.since, view.state]);
    }
  });

  it('says where the state turns next', () => {
    const { flipPrice: found } = viewCoreLine(candles, '1h');
    assert.deepEqual(found, flipPrice(candles, computeCoreLine(candles)));
    assert.equal(viewCoreLine(first(60), '1h').flipPrice, null);
  });

  it('closes with the interval', () => {
    assert.equal(viewCoreLine(candles, '4h').asOf, candles.time.at(-1)! + 14_400_000);
    assert.equal(viewCoreLine(candles, '1d').asOf, candles.time.at(-1)! + 86_400_000);
  });

  it('waits where price never moves', () => {
    const { state, since, flips } = viewCoreLine(flatCandles(300), '1h');
    assert.deepEqual([state, flips], ['wait', []]);
    assert.equal(since, flatCandles(300).time[60]);
  });
});
