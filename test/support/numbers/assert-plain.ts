import assert from 'node:assert/strict';

/** Fails unless the value is plain data without NaN, Infinity, -0 or undefined; columns may hold NaN where `columns` says so. */
export function assertPlain(value: unknown, columns: 'finite' | 'any' = 'finite', path = 'output'): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number')
    return assert.ok(
      Number.isFinite(value) && !Object.is(value, -0),
      `${path} is ${Object.is(value, -0) ? '-0' : value}`,
    );
  if (ArrayBuffer.isView(value)) {
    if (columns === 'any') return;
    return (value as Float64Array).forEach((each, i) => assertPlain(each, columns, `${path}[${i}]`));
  }
  assert.equal(typeof value, 'object', `${path} is ${typeof value}`);
  const isArray = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  assert.ok(isArray || prototype === Object.prototype, `${path} is not plain data`);
  for (const [name, each] of Object.entries(value as object))
    assertPlain(each, columns, isArray ? `${path}[${name}]` : `${path}.${name}`);
}
