import assert from 'node:assert/strict';
import { viewCoreLine } from '../../../compute/core-line/view.js';
import { Room } from '../../../compute/model/room.js';
import { coreLine } from '../../../compute/tasks/core-line.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

describe('core-line task', () => {
  it('gives the view of the series, and keeps no memory that the next task takes over', () => {
    const [first, second] = [demoCandles('BTC_USDT', '1d'), demoCandles('SOL_USDT', '1d')];
    const expected = viewCoreLine(first, '1d');
    const room = new Room();
    const view = coreLine.run({ candles: first, interval: '1d' }, room);
    assert.deepEqual(view, expected);
    room.clear();
    coreLine.run({ candles: second, interval: '1d' }, room);
    assert.deepEqual(view, expected);
  });
});
