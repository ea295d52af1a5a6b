import assert from 'node:assert/strict';
import {
  readEmaCross,
  readRsiCross,
  crossSignal,
  standingOf,
  readMacdCross,
} from '../../../compute/risk/cross.js';
import { frozenCandles } from '../../support/candles/odd-candles.js';

describe('crosses of lines', () => {
  it('are neutral, flat and without a signal after price has stood still for long', () => {
    for (let at = 1_000; at < 1_040; at++) {
      const candles = frozenCandles(3_000, at);
      for (const [name, read] of Object.entries({ readEmaCross, readMacdCross, readRsiCross })) {
        const { value, labels } = read(candles);
        const { trend, signal } = labels;
        assert.deepEqual([name, value, trend, signal], [name, 'neutral', 'flat', 'hold'], `still from ${at}`);
      }
      assert.equal(readEmaCross(candles).labels.momentum, 'flat');
      assert.equal(readMacdCross(candles).labels.momentum, 'flat');
    }
  });

  it('count lines that are at most the rounding apart as equal', () => {
    assert.deepEqual(
      [standingOf(1 + 1e-13, 1, 1e-12), standingOf(1 + 1e-11, 1, 1e-12), standingOf(1, 1 + 1e-11, 1e-12)],
      ['neutral', 'bullish', 'bearish'],
    );
    const slow = Float64Array.of(1, 1, 1, 1);
    assert.equal(crossSignal(Float64Array.of(1, 1, 1, 1 + 1e-13), slow, 1e-12), 'hold');
    assert.equal(crossSignal(Float64Array.of(1, 1, 1 + 1e-13, 1 + 1e-11), slow, 1e-12), 'buy');
  });
});
