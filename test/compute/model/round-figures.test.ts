import assert from 'node:assert/strict';
import fc from 'fast-check';
import { roundFigure, roundFigures } from '../../../compute/model/round-figures.js';

describe('roundFigure', () => {
  it('leaves 12 significant digits', () => {
    for (const [given, expected] of [
      [42.218880000000006, 42.21888],
      [0.1 + 0.2, 0.3],
      [-1.0000000000004, -1],
      [1234.56789012345678, 1234.56789012],
      [99999999999.9999, 100000000000],
      [0.999999999999999, 1],
      [123456789012.345, 123456789012],
      [1.23456789012345e-9, 1.23456789012e-9],
      [1.23456789012345e-30, 1.23456789012e-30],
      [1.5e-310, 1.5e-310],
      [Number.MIN_VALUE, Number.MIN_VALUE],
    ])
      assert.equal(roundFigure(given), expected);
  });

  it('leaves whole numbers, whatever their size, and what is no number', () => {
    for (const value of [
      0,
      -0,
      1_732_246_232_123,
      Number.MAX_SAFE_INTEGER,
      1e300,
      -7,
      NaN,
      Infinity,
      -Infinity,
    ])
      assert.ok(Object.is(roundFigure(value), value), String(value));
  });

  it('equals the rounding of toPrecision but for halves, whose last digit may differ by one', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    const figure = fc.double({ noNaN: true, min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(fc.oneof(double, figure), (value) => {
        const [actual, expected] = [roundFigure(value), Number(value.toPrecision(12))];
        if (Number.isInteger(value)) return actual === value;
        return actual === expected || Math.abs(actual - expected) <= Math.abs(value) * 1.01e-11;
      }),
      { numRuns: 5_000 },
    );
  });

  it('writes no more than 12 digits, and changes nothing when it is done again', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e11, max: 1e11 }), (value) => {
        const once = roundFigure(value);
        const written = JSON.stringify(once).replace(/e.*$/, '').replace(/\D/g, '').replace(/^0+/, '');
        return Number.isInteger(value) || (written.length <= 12 && Object.is(roundFigure(once), once));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('roundFigures', () => {
  it('rounds at every depth, and leaves text, times and the given body as they are', () => {
    const time = new Date(0);
    const short = { price: 1.5, list: [1, 2.25] };
    const body = {
      a: [0.1 + 0.2, '0.30000000000000004', null, true],
      b: { c: 1 / 3, d: undefined },
      time,
      short,
    };
    const before = structuredClone(body);
    const after = roundFigures(body);
    assert.deepEqual(after, {
      a: [0.3, '0.30000000000000004', null, true],
      b: { c: 0.333333333333, d: undefined },
      ...{ time, short },
    });
    assert.deepEqual(body, before);
    // What has nothing to round is not copied.
    assert.equal(after.short, short);
    assert.equal(after.time, time);
    assert.equal(roundFigures(short), short);
  });
});
