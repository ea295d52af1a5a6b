import assert from 'node:assert/strict';

/**
 * Fails unless both are the same plain data, the numbers of `actual` those of `expected` to 8 significant digits. `price`
 * is the size of what differences were taken of.
 */
export function assertRounded(actual: unknown, expected: unknown, price: number, path: string): void {
  if (typeof actual === 'number' && typeof expected === 'number') {
    assert.equal(actual, Number(actual.toPrecision(8)), path);
    const half = 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(expected) || 1)) - 7);
    const tolerance = half + 1e-9 * Math.abs(expected) + 1e-12 * price;
    assert.ok(Math.abs(actual - expected) <= tolerance, `${path}: found ${actual}, expected ${expected}`);
  } else if (actual !== null && typeof actual === 'object' && expected !== null) {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected as object).sort(), path);
    for (const [key, value] of Object.entries(actual))
      assertRounded(value, (expected as Record<string, unknown>)[key], price, `${path}.${key}`);
  } else assert.equal(actual, expected, path);
}
