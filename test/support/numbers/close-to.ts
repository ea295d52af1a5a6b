import assert from 'node:assert/strict';

/** Fails unless both numbers agree to 1e-9 of the larger, or both are null. */
export function assertClose(actual: number | null, expected: number | null, what: string): void {
  if (actual === null || expected === null) return assert.equal(actual, expected, what);
  const tolerance = 1e-9 * Math.max(Math.abs(actual), Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: found ${actual}, expected ${expected}`);
}
