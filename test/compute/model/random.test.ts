import assert from 'node:assert/strict';
import { createRandom, seedFrom } from '../../../compute/model/random.js';

const draws = (seed: number, count: number) => {
  const { uint32 } = createRandom(seed);
  return Array.from({ length: count }, uint32);
};

describe('seedFrom', () => {
  it('is FNV-1a: the test vectors of its authors', () => {
    assert.deepEqual(['', 'a', 'foobar'].map(seedFrom), [0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  });
});

describe('createRandom', () => {
  it('is sfc32: the numbers of an implementation in Python', () => {
    assert.deepEqual(draws(0, 5), [3300212312, 1743954244, 207519241, 3716241083, 193275849]);
    assert.deepEqual(draws(1, 5), [3685413526, 628251110, 212572038, 1878899064, 2690070499]);
    assert.deepEqual(draws(0xffffffff, 5), [752042525, 3647457525, 4123781008, 618693611, 3224795805]);
  });

  it('gives the same sequence for the same seed, each source on its own', () => {
    const [one, two] = [createRandom(5), createRandom(5)];
    const first = Array.from({ length: 100 }, one.unit);
    assert.deepEqual(Array.from({ length: 100 }, two.unit), first);
    assert.notDeepEqual(draws(5, 10), draws(6, 10));
  });

  it('fills [0, 1) evenly', () => {
    const { unit } = createRandom(12);
    const counts = new Array<number>(10).fill(0);
    for (let n = 0; n < 100_000; n++) {
      const value = unit();
      assert.ok(value >= 0 && value < 1);
      counts[Math.floor(value * 10)]++;
    }
    for (const count of counts) assert.ok(Math.abs(count - 10_000) < 500, `${counts.join(' ')}`);
  });
});
