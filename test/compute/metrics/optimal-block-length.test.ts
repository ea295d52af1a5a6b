import assert from 'node:assert/strict';
import { optimalBlockLength } from '../../../compute/metrics/optimal-block-length.js';
import { assertClose } from '../../support/numbers/close-to.js';

/** A first-order autoregression whose shocks are sines. */
function autoregression(count: number, keep: number): Float64Array {
  let value = 0;
  return Float64Array.from({ length: count }, (_, t) => (value = keep * value + Math.sin(t * t)));
}

/** Length, coefficient, and the circular block length of Python's arch 8.0.0. */
const reference = [
  [60, 0, 2.778044311025113],
  [60, 0.3, 1.6672130303205182],
  [60, 0.9, 5.345917359858637],
  [60, -0.5, 5.780904929356715],
  [60, 0.99, 10.31847716331541],
  [500, 0, 2.106213965241118],
  [500, 0.3, 6.580771212633458],
  [500, 0.9, 26.066558609901072],
  [500, -0.5, 13.115056904137104],
  [500, 0.99, 37.618601591301875],
  [4000, 0, 1.110953485119025],
  [4000, 0.3, 12.54840451258569],
  [4000, 0.9, 44.61020750933419],
  [4000, -0.5, 18.44641011347331],
  [4000, 0.99, 141.9272328507404],
] as const;

describe('optimalBlockLength', () => {
  for (const [count, keep, expected] of reference)
    it(`finds what arch finds for ${count} values with coefficient ${keep}`, () => {
      assertClose(optimalBlockLength(autoregression(count, keep)), expected, 'block length');
    });

  it('is 1 for values that do not vary, and for fewer than eight', () => {
    assert.equal(optimalBlockLength(new Float64Array(50).fill(0.1)), 1);
    assert.equal(optimalBlockLength(Float64Array.of(1, 2, 3, 4, 5, 6, 7)), 1);
    assert.equal(optimalBlockLength(new Float64Array(0)), 1);
  });

  it('is finite for any few values', () => {
    for (let count = 8; count < 40; count++) {
      const length = optimalBlockLength(autoregression(count, 0.9));
      assert.ok(length >= 0 && length <= Math.ceil(count / 3), `${length} of ${count}`);
    }
  });
});
