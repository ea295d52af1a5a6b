import assert from 'node:assert/strict';
import { meanInterval, skewedMeanInterval } from '../../../compute/metrics/mean-interval.js';
import { createRandom } from '../../../compute/model/random.js';

describe('skewedMeanInterval', () => {
  it("is Student's where values lie evenly around their mean", () => {
    assert.deepEqual(skewedMeanInterval([1, 2, 3, 4, 5]), meanInterval([1, 2, 3, 4, 5]));
    assert.deepEqual(skewedMeanInterval([7, 7, 7]), { count: 3, mean: 7, low: 7, high: 7, reason: null });
  });

  it('has no interval with fewer than three values, and no mean without any', () => {
    assert.deepEqual(skewedMeanInterval([]), {
      ...{ count: 0, mean: null, low: null, high: null },
      reason: 'there are no values',
    });
    assert.deepEqual(skewedMeanInterval([4, 6]), {
      ...{ count: 2, mean: 5, low: null, high: null },
      reason: 'an interval needs three values, found 2',
    });
  });

  it('leans to the side of the long tail, and mirrors with the values', () => {
    const values = [1, 1, 2, 2, 3, 12];
    const [own, usual] = [skewedMeanInterval(values), meanInterval(values)];
    assert.ok(own.low! > usual.low! && own.high! > usual.high!);
    const mirrored = skewedMeanInterval(values.map((value) => -value));
    assert.ok(Math.abs(mirrored.low! + own.high!) < 1e-12 && Math.abs(mirrored.high! + own.low!) < 1e-12);
  });

  it("covers the mean of few exponential values more often than Student's", () => {
    const { unit } = createRandom(3);
    let [own, usual] = [0, 0];
    for (let n = 0; n < 4_000; n++) {
      const values = Array.from({ length: 15 }, () => -Math.log(1 - unit()));
      const covers = ({ low, high }: ReturnType<typeof meanInterval>) => Number(low! <= 1 && high! >= 1);
      own += covers(skewedMeanInterval(values)) / 4_000;
      usual += covers(meanInterval(values)) / 4_000;
    }
    assert.ok(usual < 0.92 && own > 0.925, `${own} against ${usual}`);
  });
});
