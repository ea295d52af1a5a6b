import assert from 'node:assert/strict';

/** Fails unless both columns hold the same bytes: NaN equals NaN, 0 differs from -0. */
export function assertSameBits(
  actual: Float64Array | Int8Array | Int16Array,
  expected: Float64Array | Int8Array | Int16Array,
  what: string,
): void {
  assert.equal(actual.length, expected.length, what);
  const bytes = (column: typeof actual) => Buffer.from(column.buffer, column.byteOffset, column.byteLength);
  assert.ok(bytes(actual).equals(bytes(expected)), what);
}
