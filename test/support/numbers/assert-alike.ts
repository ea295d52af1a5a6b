import assert from 'node:assert/strict';
import type { MeanInterval } from '../../../compute/metrics/mean-interval.js';

/**
 * Fails unless both are the same plain data, its numbers alike to 1e-9 of the larger or to 1e-12 of `scale`. The ends
 * of the interval of a mean need only agree to a thousandth of its width, as far as our Student quantiles go.
 */
export function assertAlike(actual: unknown, expected: unknown, what: string, scale = 0): void {
  if (typeof actual === 'number' && typeof expected === 'number') {
    const reach = Math.max(1e-9 * Math.max(Math.abs(actual), Math.abs(expected)), 1e-12 * scale);
    assert.ok(Math.abs(actual - expected) <= reach, `${what}: found ${actual}, expected ${expected}`);
  } else if (typeof actual === 'object' && typeof expected === 'object' && actual && expected) {
    // Reasons of nulls are words, which other implementations lack.
    const entries = Object.entries(actual).filter(([key]) => key in expected || !/(^r|R)eason$/.test(key));
    assert.deepEqual(entries.map(([key]) => key).sort(), Object.keys(expected).sort(), what);
    const width = widthOf(expected);
    for (const [key, value] of entries) {
      const reach = key === 'low' || key === 'high' ? Math.max(scale, width * 1e9) : scale;
      assertAlike(value, (expected as Record<string, unknown>)[key], `${what} ${key}`, reach);
    }
  } else assert.equal(actual, expected, what);
}

function widthOf(data: object): number {
  if (!('mean' in data && 'low' in data)) return 0;
  const { low, high } = data as MeanInterval;
  return low === null || high === null ? 0 : high - low;
}
