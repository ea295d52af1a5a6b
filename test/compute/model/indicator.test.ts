import assert from 'node:assert/strict';
import { computeIndicator, paramsOf } from '../../../compute/model/indicator.js';
import { ema } from '../../../compute/indicators/ema.js';
import { kama } from '../../../compute/indicators/kama.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { randomCandles } from '../../support/candles/random-candles.js';

describe('paramsOf', () => {
  it('gives every default, with what is given in its place', () => {
    assert.deepEqual(paramsOf(kama.params), { period: 10, fast: 2, slow: 30 });
    assert.deepEqual(paramsOf(kama.params, { slow: 50 }), { period: 10, fast: 2, slow: 50 });
    assert.deepEqual(paramsOf({}), {});
  });
});

describe('computeIndicator', () => {
  it('takes its arrays from the scratch buffers it is given, one for each output', () => {
    const scratch = new ScratchBuffers();
    const candles = randomCandles(50);
    const fast = computeIndicator(ema, candles, { period: 5 }, scratch).ema;
    const before = fast.slice();
    const slow = computeIndicator(ema, candles, { period: 9 }, scratch).ema;
    assert.deepEqual(fast, before);
    scratch.clear();
    assert.deepEqual([scratch.column(50).buffer, scratch.column(50).buffer], [fast.buffer, slow.buffer]);
  });
});
