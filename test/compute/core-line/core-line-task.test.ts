import assert from 'node:assert/strict';
import { viewCoreLine, coreLineTask } from '../../../compute/core-line/core-line-tasks.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

describe('core-line task', () => {
  it('gives the view of the series, and keeps no memory that the next task takes over', () => {
    const [first, second] = [demoCandles('BTC_USDT', '1d'), demoCandles('SOL_USDT', '1d')];
    const expected = viewCoreLine(first, '1d');
    const scratch = new ScratchBuffers();
    const view = coreLineTask.run({ candles: first, interval: '1d' }, scratch);
    assert.deepEqual(view, expected);
    scratch.clear();
    coreLineTask.run({ candles: second, interval: '1d' }, scratch);
    assert.deepEqual(view, expected);
  });
});
