/**
 * The share of a standard normal distribution below z. The complementary error function is computed by Cody's rational
 * approximations (Math. Comp. 23, 1969); the error is about 1e-15.
 */
export const normalCdf = (z: number): number => 0.5 * erfc(-z / Math.SQRT2);

/** The quantile of a standard normal distribution for p between 0 and 1. Wichura's AS 241, 1988; error about 1e-15. */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(central, 0.180625 - q * q);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const far = r <= 5 ? ratio(middle, r - 1.6) : ratio(tail, r - 5);
  return q < 0 ? -far : far;
}

/** Numerator and denominator of a rational approximation, lowest power first. */
type Rational = readonly [readonly number[], readonly number[]];

const polynomial = (coefficients: readonly number[], x: number) =>
  coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);

const ratio = ([above, below]: Rational, x: number) => polynomial(above, x) / polynomial(below, x);

const central: Rational = [
  [
    3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
  ],
  [
    1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867,
    39307.89580009271061, 28729.085735721942674, 5226.495278852545925,
  ],
];

const middle: Rational = [
  [
    1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
    1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4,
  ],
  [
    1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
    0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9,
  ],
];

const tail: Rational = [
  [
    6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
    0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
  ],
  [
    1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525, 7.868691311456132591e-4,
    1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
  ],
];

/** Cody's approximations of erf near 0, and of erfc from 0.46875 to 4 and beyond. */
const near: Rational = [
  [
    3.20937758913846947e3, 3.77485237685302021e2, 1.1386415415105016e2, 3.1611237438705656,
    1.85777706184603153e-1,
  ],
  [2.84423683343917062e3, 1.28261652607737228e3, 2.44024637934444173e2, 2.36012909523441209e1, 1],
];

const between: Rational = [
  [
    1.23033935479799725e3, 2.05107837782607147e3, 1.71204761263407058e3, 8.8195222124176909e2,
    2.98635138197400131e2, 6.61191906371416295e1, 8.88314979438837594, 5.64188496988670089e-1,
    2.15311535474403846e-8,
  ],
  [
    1.23033935480374942e3, 3.43936767414372164e3, 4.36261909014324716e3, 3.29079923573345963e3,
    1.62138957456669019e3, 5.37181101862009858e2, 1.17693950891312499e2, 1.57449261107098347e1, 1,
  ],
];

const beyond: Rational = [
  [
    -6.58749161529837803e-4, -1.60837851487422766e-2, -1.25781726111229246e-1, -3.60344899949804439e-1,
    -3.05326634961232344e-1, -1.63153871373020978e-2,
  ],
  [
    2.33520497626869185e-3, 6.05183413124413191e-2, 5.27905102951428412e-1, 1.87295284992346725,
    2.56852019228982242, 1,
  ],
];

const rootPi = Math.sqrt(Math.PI);

function erfc(x: number): number {
  const y = Math.abs(x);
  if (y <= 0.46875) return 1 - x * ratio(near, y * y);
  const square = 1 / (y * y);
  const scaled = y <= 4 ? ratio(between, y) : (1 / rootPi + square * ratio(beyond, square)) / y;
  const upper = Math.exp(-y * y) * scaled;
  return x > 0 ? upper : 2 - upper;
}

/** The standard deviations of a normal distribution to either side of its mean within which 95 % of it lies: its 97.5 % quantile. */
export const normalReach95 = 1.959963984540054;
