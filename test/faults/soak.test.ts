import assert from 'node:assert/strict';
import { growthOf } from '../support/soak/growth.js';

describe('the growth of a figure', () => {
  it('is by the medians of its first and last third, for an hour', () => {
    const at = (minutes: number) => minutes * 60_000;
    const samples = [1, 2, 900, 3, 3, 3, 4, 0, 5].map((value, n) => ({
      at: at(10 * n),
      figures: { 'a figure': value, ...(n < 2 ? { 'gone soon': 1 } : {}) },
    }));
    const [growth, ...others] = growthOf(samples);
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...growth, perHour: Math.round(growth.perHour) },
      { name: 'a figure', from: 2, to: 4, perHour: 2, hours: 80 / 60 },
    );
  });
});
