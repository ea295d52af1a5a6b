import { augmentedDickeyFuller } from '../metrics/augmented-dickey-fuller.js';
import { engleGranger, type EngleGranger } from '../metrics/engle-granger.js';
import { halfLife, linearRegression } from '../metrics/linear-regression.js';
import { mackinnonP } from '../metrics/mackinnon-p.js';
import { mean } from '../metrics/returns.js';
import { significance } from '../metrics/holm.js';
import { standardDeviation } from '../metrics/moments.js';
import { field, type Values } from '../model/field.js';
import { nullReason, nullReasonOf, reasonsOf } from '../model/null-reason.js';

const zScore = (text: string) =>
  field.nullable(
    field.number(
      `${text}; null unless prices are shown to return to it, since unrelated ones stray further every day`,
    ),
  );

const ratioField = field.object(
  'the price of the asset in units of the second, over the closes of the window',
  {
    now: field.number('ratio at the last close'),
    mean: field.number('mean ratio'),
    deviation: field.number('standard deviation of the ratio (n - 1)'),
    zScore: zScore('standard deviations of the closes before the last from their mean'),
    revertsP: field.nullable(
      field.number(
        'p-value of the augmented Dickey-Fuller test: a small one says that the ratio returns to a level; null where it cannot be tested',
      ),
    ),
    reason: nullReason,
    count: field.count('closes'),
  },
);

const spreadField = field.object('spread = ln(price) - intercept - hedgeRatio x ln(second price)', {
  hedgeRatio: field.number('slope of the regression of the log prices'),
  intercept: field.number('intercept of that regression'),
  now: field.number('spread at the last close'),
  zScore: zScore('standard deviations from the line through the closes before the last'),
  autoregression: field.nullable(field.number('first-order autoregression of the spread')),
  halfLifeCandles: field.nullable(field.number('time until half of the spread is gone', { unit: 'candles' })),
  reason: nullReason,
  count: field.count('steps of the autoregression'),
});

const cointegrationField = field.object("Engle and Granger's test of the spread", {
  statistic: field.number('Dickey-Fuller statistic of the spread'),
  p: field.number(
    'p-value: a small one says that the prices stay together; twice the smaller of both directions, at most 1',
  ),
  isCointegrated: field.flag('whether that p-value is below 0.05, on at least 90 closes'),
  forwardP: field.number('p-value of the spread'),
  reverseP: field.nullable(
    field.number('p-value with the two assets exchanged; null where it cannot be tested'),
  ),
  reason: nullReason,
  lags: field.count('lagged changes in the regression'),
  count: field.count('changes that the regression explains'),
  method: field.text('test and source'),
});

/** Figures that compare the prices of two assets, not their returns. */
export const pricesTogetherFields = {
  ratio: ratioField,
  spread: field.nullable(spreadField),
  spreadReason: nullReasonOf('spread'),
  cointegration: field.nullable(cointegrationField),
  cointegrationReason: nullReasonOf('cointegration'),
};

export type PricesTogether = Values<typeof pricesTogetherFields>;

/** The ratio and the spread of the prices of two assets, and whether they return to a level. */
export function pricesTogether(close: Float64Array, secondClose: Float64Array): PricesTogether {
  const [logs, secondLogs] = [close.map(Math.log), secondClose.map(Math.log)];
  const together = engleGranger(logs, secondLogs, 'bic');
  const cointegration = cointegrationOf(together, engleGranger(secondLogs, logs, 'bic'));
  return {
    ratio: ratioOf(close.map((price, i) => price / secondClose[i])),
    spread: together && spreadOf(together, [logs, secondLogs], cointegration),
    spreadReason: together ? null : standsStill,
    cointegration,
    cointegrationReason: cointegration ? null : together ? untestable : standsStill,
  };
}

const standsStill = 'one of the two prices does not move';

const untestable =
  'the spread cannot be tested for cointegration: one price explains the other but for rounding';

const method =
  'Engle and Granger (1987), p-values by MacKinnon (1994), both directions corrected by Bonferroni; lags by BIC';

/** The fewest closes for a test: on fewer, unrelated prices pass it in more than 6 % of the cases. */
const fewestTested = 90;

/**
 * The p-value of a statistic of a short sample: MacKinnon's asymptotic one, after the statistic is moved by as much as his
 * 5 % value for so many observations lies below that of many (Critical Values for Cointegration Tests, 2010, table 2).
 */
const shortSampleP = ({ statistic, count }: { statistic: number; count: number }): number =>
  mackinnonP(statistic + 6.1101 / count + 6.823 / count ** 2, 'constant', 2);

/** Tests both directions, of which either may find the smaller p-value, so that counts twice. */
function cointegrationOf(
  forward: EngleGranger | null,
  reverse: EngleGranger | null,
): PricesTogether['cointegration'] {
  if (!forward?.test) return null;
  const { p: forwardP, ...test } = forward.test;
  const reverseP = reverse?.test?.p ?? null;
  const p = Math.min(1, 2 * Math.min(shortSampleP(test), reverse?.test ? shortSampleP(reverse.test) : 1));
  const isCointegrated = p < significance && forward.spread.length >= fewestTested;
  const reason =
    reverseP === null ? 'the spread of the second asset against the first cannot be tested' : null;
  return { ...test, p, isCointegrated, forwardP, reverseP, reason, method };
}

/** The deviation of a spread, in logarithms, up to which it is only rounding. */
const leastDeviation = 1e-10;

function spreadOf(
  { slope: hedgeRatio, intercept, spread }: EngleGranger,
  logs: readonly [Float64Array, Float64Array],
  cointegration: PricesTogether['cointegration'],
): NonNullable<PricesTogether['spread']> {
  const now = spread[spread.length - 1];
  const { coefficient, steps, count } = halfLife(spread);
  const isStill = standardDeviation(spread) <= leastDeviation;
  const figures = { hedgeRatio, intercept, now, autoregression: isStill ? null : coefficient, count };
  const untold = { zScore: null, halfLifeCandles: null };
  if (isStill)
    return { ...figures, ...untold, reason: 'the spread is only rounding: one price follows the other' };
  if (!cointegration) return { ...figures, ...untold, reason: untestable };
  if (spread.length < fewestTested) return { ...figures, ...untold, reason: tooFew(spread.length) };
  if (!cointegration.isCointegrated)
    return {
      ...figures,
      ...untold,
      reason: `the prices are not shown to stay together: ${pText(cointegration.p)}`,
    };
  const zScore = lastResidual(...logs);
  const reason = reasonsOf(
    steps === null && 'the spread has no half-life: its autoregression is not between 0 and 1',
    zScore === null && 'the spread moved on the last candle alone',
  );
  return { ...figures, zScore, halfLifeCandles: steps, reason };
}

/** How far the last y is from the line through all points before it, in standard deviations of these. */
function lastResidual(y: Float64Array, x: Float64Array): number | null {
  const last = y.length - 1;
  const [pastX, pastY] = [x.subarray(0, last), y.subarray(0, last)];
  const line = linearRegression(pastX, pastY);
  if (!line) return null;
  const residual = (i: number) => y[i] - line.intercept - line.slope * x[i];
  const deviation = standardDeviation(pastY.map((_, i) => residual(i)));
  return deviation > leastDeviation ? residual(last) / deviation : null;
}

function ratioOf(ratio: Float64Array): PricesTogether['ratio'] {
  const now = ratio[ratio.length - 1];
  const past = ratio.subarray(0, -1);
  const [average, deviation] = [mean(ratio), standardDeviation(ratio)];
  const isStill = deviation <= average * leastDeviation;
  const revertsP = isStill ? null : (augmentedDickeyFuller(ratio, 'constant', 'bic')?.p ?? null);
  const figures = { now, mean: average, deviation, revertsP, count: ratio.length };
  if (revertsP === null)
    return { ...figures, zScore: null, reason: 'the ratio does not vary enough to be tested' };
  if (ratio.length < fewestTested) return { ...figures, zScore: null, reason: tooFew(ratio.length) };
  if (revertsP >= significance)
    return {
      ...figures,
      zScore: null,
      reason: `the ratio is not shown to return to a level: ${pText(revertsP)}`,
    };
  const pastDeviation = standardDeviation(past);
  const zScore = pastDeviation > 0 ? (now - mean(past)) / pastDeviation : null;
  return { ...figures, zScore, reason: zScore === null ? 'the ratio moved on the last candle alone' : null };
}

const tooFew = (count: number): string => `${count} closes are too few to tell: ${fewestTested} are needed`;

/** A p-value just above the limit has more digits, so that it does not read as the limit itself. */
function pText(p: number): string {
  const short = p.toFixed(3);
  return `p ${Number(short) > significance ? short : p.toPrecision(6)} is not below ${significance}`;
}
