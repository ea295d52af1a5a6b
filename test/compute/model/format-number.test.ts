import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatNumber, plainNumber } from '../../../compute/model/format-number.js';

describe('formatNumber', () => {
  const examples: [number, string][] = [
    [0, '0'],
    [-0, '0'],
    [-1e-30, '0'],
    [1, '1'],
    [100, '100'],
    [1_000_000, '1000000'],
    [61_234.567, '61234.6'],
    [1_234_567.89, '1234568'],
    [0.1 + 0.2, '0.3'],
    [-12.3456789, '-12.3457'],
    [0.00001234567, '0.0000123457'],
    [0.9999999, '1'],
    [999_999.7, '1000000'],
    [1e-8, '0.00000001'],
    [20, '20'],
  ];
  for (const [value, text] of examples)
    it(`writes ${value} as ${text}`, () => assert.equal(formatNumber(value), text));

  it('keeps six significant digits, in plain decimals without trailing zeros', () => {
    const value = fc.double({ min: 1e-12, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(value, fc.boolean(), (size, negative) => {
        const text = formatNumber(negative ? -size : size);
        assert.match(text, /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        assert.ok(Math.abs(Number(text) - (negative ? -size : size)) <= size * 5.01e-6, text);
      }),
      { numRuns: 1_000, seed: 8 },
    );
  });
});

describe('plainNumber', () => {
  it('writes every double in plain notation, so that it reads back as the same', () => {
    const plain = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = plainNumber(value);
        assert.match(text, plain);
        assert.equal(Number(text), value + 0);
      }),
    );
  });

  it('writes none longer than it has to be', () => {
    for (const [value, text] of [
      [0, '0'],
      [-0, '0'],
      [1e-7, '0.0000001'],
      [-1.5e-7, '-0.00000015'],
      [1.25e-10, '0.000000000125'],
      [123456789.125, '123456789.125'],
      [1e21, `1${'0'.repeat(21)}`],
      [1.5e22, `15${'0'.repeat(21)}`],
      [5e-324, `0.${'0'.repeat(323)}5`],
    ] as const)
      assert.equal(plainNumber(value), text);
  });
});
