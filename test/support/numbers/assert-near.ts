import assert from 'node:assert/strict';

/** Fails unless both numbers agree to 1e-9 of the larger or lie within `floor` of each other, or both are absent. */
export function assertNear(actual: number, expected: number | null, floor: number, what: string): void {
  if (expected === null)
    return assert.ok(Number.isNaN(actual), `${what}: found ${actual}, expected no value`);
  const tolerance = Math.max(floor, 1e-9 * Math.max(Math.abs(actual), Math.abs(expected)));
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: found ${actual}, expected ${expected}`);
}
