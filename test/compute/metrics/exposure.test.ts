import assert from 'node:assert/strict';
import { exposure } from '../../../compute/metrics/trade-figures.js';

describe('exposure', () => {
  it('is the share of candles with a position in percent', () => {
    assert.deepEqual([exposure(0, 8), exposure(2, 8), exposure(8, 8)], [0, 25, 100]);
  });

  it('is null without candles', () => assert.equal(exposure(0, 0), null));
});
