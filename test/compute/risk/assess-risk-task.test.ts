import assert from 'node:assert/strict';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { assessRiskTask } from '../../../compute/tasks.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

describe('assess-risk task', () => {
  it('gives the same in fresh memory and in used, and keeps none that the next task takes over', () => {
    const [coin, leading] = [demoCandles('SOL_USDT', '1h'), demoCandles('BTC_USDT', '1h')];
    const input = { candles: coin, leading, isLeading: false, side: 'long' } as const;
    const expected = assessRiskTask.run(input);
    const scratch = new ScratchBuffers();
    assessRiskTask.run({ candles: leading, leading, isLeading: true, side: 'short' }, scratch);
    scratch.clear();
    const found = assessRiskTask.run(input, scratch);
    assert.deepEqual(found, expected);
    scratch.clear();
    scratch.column(coin.time.length).fill(NaN);
    assert.deepEqual(found, expected);
    assert.deepEqual(structuredClone(found), expected);
  });
});
