import assert from 'node:assert/strict';
import { winRate } from '../../../compute/metrics/trade-figures.js';
import { tradeOf } from '../../support/candles/trade-of.js';

const of = (...returns: number[]) => winRate(returns.map((returnRate) => tradeOf({ returnRate })));

describe('winRate', () => {
  it('is the share of trades above 0 in percent; 0 itself is no win', () => {
    assert.deepEqual([of(0.1, -0.1, 0, 0.2), of(-1), of(1e-12)], [50, 0, 100]);
  });

  it('is null without trades', () => assert.equal(of(), null));
});
