import assert from 'node:assert/strict';
import { growthOf, leaksOf } from '../support/soak/growth.js';

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

  it('is a leak where memory or handles grow by a quarter after an hour', () => {
    const row = { name: 'gateway 1: memory, MB', from: 100, to: 126, perHour: 13, hours: 2 };
    const rows = [row, { ...row, to: 124 }, { ...row, hours: 0.9 }, { ...row, name: 'MongoDB: backtests' }];
    assert.deepEqual(leaksOf(rows), [row]);
  });
});
