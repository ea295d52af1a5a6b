import assert from 'node:assert/strict';
import { averageLinkage } from '../../../compute/metrics/average-linkage.js';
import { readPortfolioCases } from '../../support/gateway/portfolio-cases.js';

describe('averageLinkage', () => {
  for (const { similarity, threshold, groups } of readPortfolioCases().clusters)
    it(`equals scipy on ${similarity.length} things at ${threshold}`, () => {
      const before = JSON.stringify(similarity);
      const byFirst = (found: number[][]) => [...found].sort((a, b) => a[0] - b[0]);
      assert.deepEqual(averageLinkage(similarity, threshold), byFirst(groups));
      assert.equal(JSON.stringify(similarity), before);
    });

  it('joins by the mean of all pairs, not by the nearest or the furthest', () => {
    const chain = (far: number) => [
      [1, 0.9, far],
      [0.9, 1, 0.8],
      [far, 0.8, 1],
    ];
    // The third is 0.8 from one of the first two; the mean is (0.8 + far) / 2.
    assert.deepEqual(averageLinkage(chain(0.61), 0.7), [[0, 1, 2]]);
    assert.deepEqual(averageLinkage(chain(0.59), 0.7), [[0, 1], [2]]);
  });

  it('takes in the threshold itself, and groups nothing of nothing', () => {
    const pair = [
      [1, 0.7],
      [0.7, 1],
    ];
    assert.deepEqual([averageLinkage(pair, 0.7), averageLinkage(pair, 0.7000001)], [[[0, 1]], [[0], [1]]]);
    assert.deepEqual([averageLinkage([], 0.5), averageLinkage([[1]], 0.5)], [[], [[0]]]);
  });
});
