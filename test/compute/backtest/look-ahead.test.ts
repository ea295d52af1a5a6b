import assert from 'node:assert/strict';
import { checkLookAhead, passedLookAhead } from '../../../compute/backtest/look-ahead.js';
import { paramsOf } from '../../../compute/model/indicator.js';
import { AppError } from '../../../compute/model/errors.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { strategies } from '../../../compute/strategies/index.js';
import { computeTargets, defineStrategy, target, type Strategy } from '../../../compute/model/strategy.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const candles = randomCandles(700, { seed: 4 });

/** Long while the next candle closes higher. */
const cheat = defineStrategy({
  name: 'cheat',
  title: 'Cheat',
  rule: 'Knows the next close.',
  params: {},
  ready: () => 0,
  fill({ close }, _params, targets) {
    for (let i = 0; i < targets.length; i++) targets[i] = close[i + 1] > close[i] ? target.long : target.flat;
  },
});

function faultOf(seed: number): AppError {
  try {
    checkLookAhead(cheat, candles, {}, computeTargets(cheat, candles, {}), seed);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  return assert.fail('expected an AppError');
}

describe('checkLookAhead', () => {
  for (const strategy of strategies as readonly Strategy<string>[]) {
    it(`passes ${strategy.name}, whatever the seed`, () => {
      const params = paramsOf(strategy.params);
      const targets = computeTargets(strategy, candles, params);
      for (let seed = 0; seed < 20; seed++)
        assert.deepEqual(checkLookAhead(strategy, candles, params, targets, seed, new ScratchBuffers()), {
          candles: 20,
          differences: 0,
        });
    });
  }

  it('throws look_ahead for a strategy that knows the next close, and says where', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { code, kind, message, details } = faultOf(seed);
      const at = details.candle as number;
      assert.deepEqual([code, kind], ['look_ahead', 'bug']);
      assert.equal(message, `cheat decides differently at candle ${at} when it can't see what follows`);
      assert.equal(details.time, candles.time[at]);
      assert.ok(candles.close[at + 1] > candles.close[at], 'it bought there');
    }
  });

  it('looks at the same candles for the same seed, and at others for another', () => {
    const found = Array.from({ length: 20 }, (_, seed) => faultOf(seed).details.candle);
    assert.deepEqual(
      Array.from({ length: 20 }, (_, seed) => faultOf(seed).details.candle),
      found,
    );
    assert.ok(new Set(found).size > 10);
  });

  it('looks only at candles on which the rule can speak, and at no more than there are', () => {
    const seen: number[] = [];
    const late: Strategy<never> = {
      ...cheat,
      ready: () => 690,
      fill: ({ close }) => void seen.push(close.length - 1),
    };
    checkLookAhead(late, candles, {}, new Int8Array(700), 1);
    assert.equal(seen.length, 10);
    assert.ok(seen.every((at) => at >= 690 && at < 700));
    assert.deepEqual(passedLookAhead(700, 690), { candles: 10, differences: 0 });
    assert.deepEqual(passedLookAhead(700, 0), { candles: 20, differences: 0 });
  });
});
