import assert from 'node:assert/strict';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { ema } from '../../../compute/indicators/ema.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { stateName } from '../../../compute/model/core-line.js';
import { buyAndHold } from '../../../compute/strategies/buy-and-hold.js';
import { emaCross } from '../../../compute/strategies/ema-cross.js';
import { strategyNamed } from '../../../compute/strategies/index.js';
import { trendState } from '../../../compute/strategies/trend-state.js';
import { readEmaCross, readMacdCross } from '../../../compute/risk/cross.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
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

describe('crosses of averages', () => {
  // 0.1, 0.3 and so on have no exact sum: averages over 20 and 50 candles differ in the last digit.
  const prices = Array.from({ length: 60 }, (_, n) => 0.1 + n * 0.07);

  it('buy nothing where price stands still', () => {
    for (const name of ['ema_cross', 'macd_cross'] as const)
      for (const price of prices) {
        const strategy = strategyNamed(name);
        const params = Object.fromEntries(
          Object.entries(strategy.params).map(([param, spec]) => [param, spec.default]),
        );
        const targets = computeTargets(strategy, flatCandles(200, price), params);
        assert.ok(
          targets.every((code) => code === 0),
          `${name} at ${price}`,
        );
      }
  });

  it('are read as neutral, flat and no signal where price stands still', () => {
    for (const price of prices)
      for (const read of [readEmaCross, readMacdCross]) {
        const { value, labels } = read(flatCandles(200, price));
        assert.deepEqual(
          [value, labels],
          ['neutral', { trend: 'flat', signal: 'hold', momentum: 'flat' }],
          `${read.name} at ${price}`,
        );
      }
  });
});

describe('buyAndHold', () => {
  it('is long from the first candle on', () => {
    assert.ok(computeTargets(buyAndHold, candles, {}).every((code) => code === 1));
  });
});
