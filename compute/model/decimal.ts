import { AppError } from './errors.js';

/** Rounding: towards minus infinity, towards plus infinity, or to the nearest, ties to even. */
export type Rounding = 'floor' | 'ceil' | 'half-even';

const pattern = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/;

/** A decimal as text: at most 30 digits before and after the point, no exponent. */
export const decimalPattern: RegExp = pattern;

/** A number as programs write it: at most 400 digits before and after the point, and possibly an exponent. */
const written = /^(-?)(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * An exact decimal number, for money that is ordered or booked. Sums, differences and products are exact; a quotient is
 * rounded as the caller says. Values are immutable.
 */
export class Decimal {
  static readonly zero = new Decimal(0n, 0);
  static readonly one = new Decimal(1n, 0);

  readonly #units: bigint;
  /** The number of digits of `units` after the point. */
  readonly #places: number;

  private constructor(units: bigint, places: number) {
    this.#units = units;
    this.#places = places;
  }

  /** Reads a text like "-12.50". Throws `invalid_input`, naming `field`, for any other text. */
  static parse(text: string, field = 'value'): Decimal {
    const [, sign, whole, part = ''] = pattern.exec(text) ?? [];
    if (whole === undefined)
      throw new AppError('invalid_input', `"${field}" has to be a decimal like "12.5", found "${text}"`, {
        details: { field },
      });
    return new Decimal(BigInt(sign + whole + part), part.length);
  }

  /**
   * Reads a number that a program wrote: Tidemark, an exchange, or `String` of a float, whose digits are taken as exact.
   * Throws `invalid_input` for a text that is no number.
   */
  static read(text: string): Decimal {
    const [, sign, whole, part = '', exponent = '0'] = written.exec(text) ?? [];
    if (whole === undefined)
      throw new AppError('invalid_input', `a number was expected, found "${text.slice(0, 60)}"`);
    const places = part.length - Number(exponent);
    const units = BigInt(sign + whole + part);
    return places < 0 ? new Decimal(units * power(-places), 0) : new Decimal(units, places);
  }

  plus(other: Decimal): Decimal {
    const places = Math.max(this.#places, other.#places);
    return new Decimal(this.#unitsAt(places) + other.#unitsAt(places), places);
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated());
  }

  /** The number with the other sign. */
  negated(): Decimal {
    return new Decimal(-this.#units, this.#places);
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.#units * other.#units, this.#places + other.#places);
  }

  /** The quotient with `places` digits after the point. Throws a RangeError for a divisor of 0. */
  dividedBy(other: Decimal, places: number, rounding: Rounding): Decimal {
    // this / other = (units / other.units) * 10 ^ (other.places - places).
    const shift = places + other.#places - this.#places;
    const above = this.#units * power(Math.max(0, shift));
    const below = other.#units * power(Math.max(0, -shift));
    return new Decimal(divide(above, below, rounding), places);
  }

  round(places: number, rounding: Rounding): Decimal {
    return this.dividedBy(Decimal.one, places, rounding);
  }

  /** The value rounded to a multiple of `step`, which is above 0, as exchanges require of quantities and prices. */
  toStep(step: Decimal, rounding: Rounding): Decimal {
    return this.dividedBy(step, 0, rounding).times(step);
  }

  /** The sum of all values; 0 for none. */
  static sum(values: Iterable<Decimal>): Decimal {
    let total = Decimal.zero;
    for (const value of values) total = total.plus(value);
    return total;
  }

  /** The smaller of two numbers. */
  static min(one: Decimal, other: Decimal): Decimal {
    return one.compare(other) <= 0 ? one : other;
  }

  /** -1 if this is less than the other, 0 if they are equal, 1 if it is more. */
  compare(other: Decimal): number {
    const places = Math.max(this.#places, other.#places);
    const [mine, theirs] = [this.#unitsAt(places), other.#unitsAt(places)];
    return mine < theirs ? -1 : Number(mine > theirs);
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return this.compare(Decimal.zero);
  }

  /** The number of digits after the point in the shortest text. */
  get places(): number {
    return /\.(\d+)$/.exec(this.toString())?.[1].length ?? 0;
  }

  /** The shortest text of exactly this number, without exponent. */
  toString(): string {
    const sign = this.#units < 0n ? '-' : '';
    const digits = String(this.#units)
      .slice(sign.length)
      .padStart(this.#places + 1, '0');
    const point = digits.length - this.#places;
    const part = digits.slice(point).replace(/0+$/, '');
    return sign + digits.slice(0, point) + (part && `.${part}`);
  }

  #unitsAt(places: number): bigint {
    return this.#units * power(places - this.#places);
  }
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent);

function divide(above: bigint, below: bigint, rounding: Rounding): bigint {
  const [numerator, divisor] = below < 0n ? [-above, -below] : [above, below];
  const rest = ((numerator % divisor) + divisor) % divisor;
  const floor = (numerator - rest) / divisor;
  if (rest === 0n || rounding === 'floor') return floor;
  if (rounding === 'ceil') return floor + 1n;
  const twice = 2n * rest;
  return twice > divisor || (twice === divisor && floor % 2n !== 0n) ? floor + 1n : floor;
}
