import assert from 'node:assert/strict';
import fc from 'fast-check';
import { percentileRank } from '../../../compute/metrics/quantile.js';
import { slideRanks } from '../../../compute/rolling/slide-ranks.js';

describe('slideRanks', () => {
  it('gives every value its percentile rank in the window that ends with it', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: 0, max: 10, noNaN: true }));
    const input = fc.record({
      values: fc.array(value, { minLength: 1, maxLength: 60 }),
      first: fc.nat({ max: 5 }),
      ahead: fc.nat({ max: 30 }),
      window: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(input, ({ values, first, ahead, window }) => {
        const from = first + ahead;
        const column = Float64Array.from(values);
        const ranks = new Float64Array(values.length).fill(-1);
        slideRanks(column, { first, from, window }, ranks);
        for (let i = 0; i < values.length; i++) {
          const seen = column.subarray(Math.max(first, i - window + 1), i + 1);
          assert.equal(ranks[i], i < from ? -1 : percentileRank(seen, column[i]));
        }
      }),
    );
  });
});
