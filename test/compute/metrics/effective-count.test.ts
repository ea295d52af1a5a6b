import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRandom } from '../../../compute/model/random.js';
import { effectiveCount } from '../../../compute/risk/touch-statistics.js';

const countOf = (cases: readonly [start: number, length: number][], size: number) =>
  effectiveCount(
    Int32Array.from(cases, ([start]) => start),
    Int32Array.from(cases, ([, length]) => length),
    size,
  );

describe('effectiveCount', () => {
  it('counts cases apart as they are, and equal ones once', () => {
    assert.equal(
      countOf(
        [
          [0, 3],
          [3, 2],
          [6, 1],
        ],
        7,
      ),
      3,
    );
    assert.equal(
      countOf(
        [
          [2, 3],
          [2, 3],
          [2, 3],
          [2, 3],
        ],
        9,
      ),
      1,
    );
    assert.equal(countOf([], 5), 0);
  });

  it('divides by how many cases share a candle, weighted by the candles of cases', () => {
    // On candles 0 to 3 there are 1, 1, 2, 1 cases: 2 x 5 / (1 + 1 + 4 + 1).
    assert.equal(
      countOf(
        [
          [0, 3],
          [2, 2],
        ],
        4,
      ),
      10 / 7,
    );
  });

  it('is what the mean gain of stopped walks varies by', () => {
    // Walks of steps +1 and -1 from each of 400 starts, until they are 3 away from their start or 20 steps old.
    const size = 440;
    const means: number[] = [];
    let [gains, squares, counted] = [0, 0, 0];
    for (let seed = 1; seed <= 1_500; seed++) {
      const { unit } = createRandom(seed);
      const walk = [0];
      for (let i = 1; i < size; i++) walk.push(walk[i - 1] + (unit() < 0.5 ? 1 : -1));
      const cases = Array.from({ length: 400 }, (_, start): [number, number] => {
        let at = start + 1;
        while (at < start + 20 && Math.abs(walk[at] - walk[start]) < 3) at++;
        return [start + 1, at - start];
      });
      const own = cases.map(([first, length]) => walk[first + length - 1] - walk[first - 1]);
      means.push(own.reduce((sum, gain) => sum + gain, 0) / 400);
      gains += 400;
      squares += own.reduce((sum, gain) => sum + gain * gain, 0);
      counted += 1 / countOf(cases, size);
    }
    const variance = means.reduce((sum, mean) => sum + mean * mean, 0) / means.length;
    const expected = (squares / gains) * (counted / means.length);
    assert.ok(
      Math.abs(variance / expected - 1) < 4 * Math.sqrt(2 / means.length),
      `${variance} of ${expected}`,
    );
  });

  it('lies above 0 and at or below the number of cases', () => {
    const one = fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 10 }));
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 30 }), (cases) => {
        const found = countOf(cases, 41);
        assert.ok(found > 0 && found <= cases.length + 1e-9);
      }),
    );
  });
});
