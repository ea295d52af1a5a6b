import assert from 'node:assert/strict';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { ema } from '../../../compute/indicators/ema.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { stateName } from '../../../compute/model/core-line.js';
import { buyAndHold } from '../../../compute/strategies/buy-and-hold.js';
import { emaCross } from '../../../compute/strategies/ema-cross.js';
import { trendState } from '../../../compute/strategies/trend-state.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

const candles = demoCandles('SOL_USDT', '4h');

describe('trendState', () => {
  it('is long in accumulate, flat in distribute, and keeps what there is in wait', () => {
    const wanted = { accumulate: 1, distribute: 0, wait: 2 };
    const states = Array.from(computeCoreLine(candles).state, stateName);
    assert.deepEqual(
      Array.from(computeTargets(trendState, candles, {})),
      states.map((state) => (state === null ? 0 : wanted[state])),
    );
    assert.equal(new Set(states).size, 4);
  });
});

describe('emaCross', () => {
  it('is long while the fast average is above the slow one, flat on equality', () => {
    const [fast, slow] = [7, 31].map((period) => computeIndicator(ema, candles, { period }).ema);
    assert.deepEqual(
      Array.from(computeTargets(emaCross, candles, { fast: 7, slow: 31 })),
      Array.from(fast, (value, i) => (i >= 30 && value > slow[i] ? 1 : 0)),
    );
    assert.ok(computeTargets(emaCross, candles, { fast: 20, slow: 20 }).every((code) => code === 0));
  });
});

describe('buyAndHold', () => {
  it('is long from the first candle on', () => {
    assert.ok(computeTargets(buyAndHold, candles, {}).every((code) => code === 1));
  });
});
