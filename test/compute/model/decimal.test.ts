import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal, type Rounding } from '../../../compute/model/decimal.js';
import { arbitraryPositive } from '../../support/numbers/arbitrary-decimal.js';
import { add, divide, fraction, multiply, order, subtract, unitOf } from '../../support/numbers/fraction.js';

const of = (text: string) => Decimal.parse(text);
const signed = fc.tuple(fc.constantFrom('', '-'), arbitraryPositive()).map((parts) => parts.join(''));

const isReadAsItIs = (value: number) => Number(String(Decimal.read(String(value)))) === value;

describe('Decimal', () => {
  it('reads plain decimals and writes the shortest text for them', () => {
    for (const [text, shortest] of [
      ['0', '0'],
      ['-0', '0'],
      ['-0.00', '0'],
      ['007', '7'],
      ['12.50', '12.5'],
      ['-12.500', '-12.5'],
      ['0.00000001', '0.00000001'],
      ['-0.5', '-0.5'],
      ['100', '100'],
      ['100000000000000000000.000000000000000001', '100000000000000000000.000000000000000001'],
    ])
      assert.equal(String(of(text)), shortest);
  });

  it('tells the smaller of two', () => {
    const [one, other] = [of('2'), of('10.5')];
    assert.equal(Decimal.min(one, other), one);
    assert.equal(Decimal.min(other, one), one);
    assert.equal(String(Decimal.min(of('-1'), of('-1.5'))), '-1.5');
    assert.equal(String(Decimal.min(of('2.0'), one)), '2');
  });

  it('refuses any other text, naming the field', () => {
    for (const text of [
      '',
      ' 1',
      '1 ',
      '1.',
      '.5',
      '+1',
      '1e5',
      'NaN',
      'Infinity',
      '0x1',
      '1,5',
      '1.2.3',
      '--1',
      '1'.repeat(31),
    ])
      assert.throws(
        () => Decimal.parse(text, 'price'),
        { code: 'invalid_input', details: { field: 'price' } },
        text,
      );
  });

  it('reads what programs write: any number of digits, and exponents', () => {
    const big = '9'.repeat(65);
    for (const [text, plain] of [
      [big, big],
      [`-${big}.${'0'.repeat(40)}5`, `-${big}.${'0'.repeat(40)}5`],
      [String(1e-25), '0.0000000000000000000000001'],
      [String(1.25e21), '1250000000000000000000'],
      ['1.5E-8', '0.000000015'],
      ['12.345e1', '123.45'],
      ['0e5', '0'],
    ])
      assert.equal(String(Decimal.read(text)), plain);
    for (const text of ['', 'NaN', 'Infinity', '1e', '1e1000', '0x1', ' 1', '1,5', '1'.repeat(401)])
      assert.throws(() => Decimal.read(text), { code: 'invalid_input' }, text);
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), isReadAsItIs));
  });

  it('does not lose what floats lose', () => {
    assert.equal(String(of('0.1').plus(of('0.2'))), '0.3');
    assert.equal(String(of('1.1').times(of('1.1'))), '1.21');
    assert.equal(String(of('9007199254740993').minus(of('1'))), '9007199254740992');
  });

  it('rounds a quotient down, up and to the nearest, of two the even one', () => {
    const rounded = (a: string, b: string, places: number) =>
      (['floor', 'ceil', 'half-even'] as const).map((way) => String(of(a).dividedBy(of(b), places, way)));
    assert.deepEqual(rounded('1', '3', 4), ['0.3333', '0.3334', '0.3333']);
    assert.deepEqual(rounded('2', '3', 2), ['0.66', '0.67', '0.67']);
    assert.deepEqual(rounded('-1', '3', 2), ['-0.34', '-0.33', '-0.33']);
    assert.deepEqual(rounded('1', '-3', 2), ['-0.34', '-0.33', '-0.33']);
    assert.deepEqual(rounded('1', '2', 0), ['0', '1', '0']);
    assert.deepEqual(rounded('3', '2', 0), ['1', '2', '2']);
    assert.deepEqual(rounded('-1', '2', 0), ['-1', '0', '0']);
    assert.deepEqual(rounded('6', '2', 3), ['3', '3', '3']);
    assert.deepEqual(rounded('123456', '0.001', 0), ['123456000', '123456000', '123456000']);
    assert.throws(() => of('1').dividedBy(of('0'), 2, 'floor'), RangeError);
  });

  it('rounds to places and to steps', () => {
    assert.equal(String(of('1.2345').round(2, 'floor')), '1.23');
    assert.equal(String(of('1.2').round(5, 'floor')), '1.2');
    assert.equal(String(of('0.123456').toStep(of('0.0005'), 'floor')), '0.123');
    assert.equal(String(of('0.123456').toStep(of('0.0005'), 'ceil')), '0.1235');
    assert.equal(String(of('37').toStep(of('25'), 'half-even')), '25');
  });

  it('tells sign, places and order', () => {
    assert.deepEqual([of('-0.1').sign, of('0.00').sign, of('3').sign], [-1, 0, 1]);
    assert.deepEqual([of('1.50').places, of('100').places, of('0.001').places], [1, 0, 3]);
    assert.equal(of('1.0').compare(of('1')), 0);
  });

  it('adds, subtracts, multiplies and compares as fractions do', () => {
    fc.assert(
      fc.property(signed, signed, (a, b) => {
        const same = (found: Decimal, expected: ReturnType<typeof fraction>) =>
          assert.equal(order(fraction(String(found)), expected), 0);
        same(of(a).plus(of(b)), add(fraction(a), fraction(b)));
        same(of(a).minus(of(b)), subtract(fraction(a), fraction(b)));
        same(of(a).times(of(b)), multiply(fraction(a), fraction(b)));
        assert.equal(of(a).compare(of(b)), order(fraction(a), fraction(b)));
        assert.equal(String(of(String(of(a)))), String(of(a)));
      }),
    );
  });

  it('divides to within one unit of the last place, on the side asked for', () => {
    fc.assert(
      fc.property(signed, signed, fc.nat(12), (a, b, places) => {
        const exact = divide(fraction(a), fraction(b));
        const error = (way: Rounding) =>
          subtract(fraction(String(of(a).dividedBy(of(b), places, way))), exact);
        const [unit, none] = [unitOf(places), fraction('0')];
        const [floor, ceil, nearest] = [error('floor'), error('ceil'), error('half-even')];
        assert.ok(order(floor, none) <= 0 && order(floor, { n: -unit.n, d: unit.d }) > 0);
        assert.ok(order(ceil, none) >= 0 && order(ceil, unit) < 0);
        const twice = multiply(nearest, fraction('2'));
        assert.ok(order(twice, unit) <= 0 && order(twice, { n: -unit.n, d: unit.d }) >= 0);
      }),
    );
  });

  it('adds any number of values up, and changes the sign of one', () => {
    const of = (...texts: string[]) => String(Decimal.sum(texts.map((each) => Decimal.parse(each))));
    assert.deepEqual(
      [of(), of('1.5'), of('0.1', '0.2', '-0.3'), of('1', '-0.25')],
      ['0', '1.5', '0', '0.75'],
    );
    const negated = (text: string) => String(Decimal.parse(text).negated());
    assert.deepEqual([negated('1.5'), negated('-2'), negated('0')], ['-1.5', '2', '0']);
  });
});
