import fc from 'fast-check';

/** Texts of decimals above 0 with up to so many digits before and after the point. */
export const arbitraryPositive = (whole = 8, part = 8): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(10 ** whole - 1), fc.integer({ min: 1, max: 10 ** part - 1 }), fc.nat(part))
    .map(([before, after, places]) => {
      const digits = String(after).padStart(part, '0').slice(0, Math.max(1, places));
      return Number(digits) === 0 && before === 0 ? '1' : `${before}.${digits}`;
    });
