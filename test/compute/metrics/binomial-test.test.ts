import assert from 'node:assert/strict';
import { binomialTest } from '../../../compute/metrics/binomial-test.js';
import { naiveBinomialP } from '../../support/naive/naive-binomial-p.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('binomialTest', () => {
  it('is twice the smaller tail, added up from the probabilities of every number of hits', () => {
    for (const count of [1, 2, 7, 30, 200])
      for (const share of [0.03, 0.47, 0.5, 0.9])
        for (let hits = 0; hits <= count; hits += Math.ceil(count / 9))
          assertClose(
            binomialTest(hits, count, share),
            naiveBinomialP(hits, count, share),
            `${hits} of ${count} at ${share}`,
          );
  });

  it('is what tables say', () => {
    // 2 (1 + 10) / 1024.
    assertClose(binomialTest(1, 10, 0.5), 22 / 1024, '1 of 10');
    assert.equal(binomialTest(5, 10, 0.5), 1);
  });

  it('has nothing to say without cases, and is sure where a hit is impossible or certain', () => {
    assert.deepEqual(
      [binomialTest(0, 0, 0.5), binomialTest(0, 5, 0), binomialTest(5, 5, 1), binomialTest(1, 5, 0)],
      [null, 1, 1, 0],
    );
  });
});
