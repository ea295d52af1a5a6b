import assert from 'node:assert/strict';
import { marketNow } from '../../../compute/market/market-now.js';
import { candlesAt, pairsOf } from '../../support/candles/pairs.js';

const startMs = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;

describe('marketNow', () => {
  it('is the newest close of any pair; older and empty pairs are stale', () => {
    const pairs = pairsOf({
      A: candlesAt([1, 2]),
      B: candlesAt([1, 2, 3]),
      C: candlesAt([]),
      D: candlesAt([5, 6, 7]),
    });
    const { openMs, asOf, present, stale } = marketNow(pairs, '1d');
    assert.deepEqual([openMs, asOf], [startMs + 2 * dayMs, startMs + 3 * dayMs]);
    assert.deepEqual(present, [pairs[1], pairs[3]]);
    assert.deepEqual(stale, [pairs[0], pairs[2]]);
  });

  it('is nowhere without a candle', () => {
    for (const pairs of [[], pairsOf({ A: candlesAt([]) })])
      assert.throws(() => marketNow(pairs, '4h'), {
        code: 'not_enough_history',
        details: { needed: 1, found: 0 },
        message: 'there are no closed 4h candles of the market',
      });
  });
});
