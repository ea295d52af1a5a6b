import { betaFields, betaOf } from '../market/beta.js';
import { linearRegression } from '../metrics/linear-regression.js';
import { quantileInterval } from '../metrics/quantile.js';
import { historicalValueAtRisk } from '../metrics/value-at-risk.js';
import { leadingAsset } from '../model/asset-fields.js';
import { field, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { candlesPerYear } from '../model/interval.js';
import { nullReason, nullReasonOf, reasonsOf } from '../model/null-reason.js';
import { assetCluster, assetClusters, type AssetCluster } from './asset-clusters.js';
import { bookHoldingFields, type Book, type BookPosition } from './book.js';
import { independentInTail } from './independent-in-tail.js';
import type { PortfolioSample } from './portfolio-sample.js';
import { whyNoIntervalEnd } from './why-no-interval-end.js';

const inPercent = (text: string) => field.number(text, { unit: 'percent' });
const inQuote = (text: string) => field.number(text, { unit: 'quote' });

const positionRiskFields = {
  ...bookHoldingFields,
  price: inQuote('price now, or else the last close; 1 for the quote currency'),
  value: inQuote('value of the holding; below 0 for a debt'),
  weightPercent: inPercent('share of the gross value; below 0 for a debt'),
  beta: field.nullable(field.number('beta to BTC; null where the asset is not in the sample')),
  riskSharePercent: field.nullable(
    inPercent(
      'share of the variance of the covered book; the shares add up to 100, that of a hedge is below 0; null where the asset is not in the sample',
    ),
  ),
  reason: nullReason,
};

export type PositionRisk = Values<typeof positionRiskFields>;

const percentOrNull = (text: string) => field.nullable(inPercent(text));

const tailFigureFields = {
  varPercent: percentOrNull(
    'value at risk of one day, as a share of the equity, the value of what the sample covers less its debts; a gain is below 0',
  ),
  varLowPercent: percentOrNull('lower end of its 95 % interval; null where the sample has no such loss'),
  varHighPercent: percentOrNull('upper end of its 95 % interval; null where the sample has no such loss'),
  cvarPercent: percentOrNull('mean loss of the days that lose at least the value at risk'),
  percentReason: nullReasonOf('a percentage'),
  varValue: inQuote('value at risk of one day'),
  cvarValue: inQuote('mean loss of the days that lose at least that'),
  days: field.count('days of the sample that lost at least the value at risk'),
};

export type TailFigures = Values<typeof tailFigureFields>;

export const bookRiskFields = {
  value: inQuote('sum of the values; debts count negative'),
  grossValue: inQuote('sum of the absolute values'),
  positions: field.list(
    'the positions, the largest value first',
    field.object('a position', positionRiskFields),
  ),
  concentration: field.nullable(
    field.object('how the value is spread; null for an empty book', {
      herfindahl: field.number('Herfindahl index, the sum of squared weights: 1 / n for n equal positions'),
      effectiveNumber: field.number('1 / herfindahl: the number of equal positions with the same index'),
      largest: field.text('asset with the largest value'),
      largestPercent: inPercent('its share of the gross value'),
    }),
  ),
  coveredPercent: field.nullable(
    inPercent('share of the gross value that the sample covers; null for an empty book'),
  ),
  reason: nullReason,
  tail95: field.nullable(
    field.object('loss that 95 of 100 days stay below; null without a sample', tailFigureFields),
  ),
  tail95Reason: nullReasonOf('tail95'),
  tail99: field.nullable(
    field.object('loss that 99 of 100 days stay below; null with fewer than 100 days', tailFigureFields),
  ),
  tail99Reason: nullReasonOf('tail99'),
  beta: field.nullable(
    field.object('beta of the covered book to BTC; null without BTC in the sample', betaFields),
  ),
  betaReason: nullReasonOf('beta'),
  clusters: field.list(
    'groups of assets that move together, the largest weight first; without the quote currency',
    assetCluster,
  ),
};

/** The contents of a book, their spread, and possible losses. */
export type BookRisk = Values<typeof bookRiskFields>;

/** The fewest days from which the loss of one day in 100 is estimated. */
const fewestFor99 = 100;

/** The risk of a book over a sample of daily returns; without a sample, only the figures that follow from its values. */
export function bookRisk(book: Book, quote: string, sample: PortfolioSample | null): BookRisk {
  const { value, grossValue, positions } = book;
  const covered = positions.filter(({ asset }) => sample?.returns.has(asset));
  const coveredValue = covered.reduce((sum, each) => sum + Math.abs(each.value), 0);
  const equity = covered.reduce((sum, each) => sum + each.value, 0);
  const own = sample && coveredValue > 0 ? combine(covered, coveredValue, sample) : null;
  const leading = sample?.returns.get(leadingAsset);
  const whyNoTail = own ? null : whyNoReturns(sample);
  return {
    value,
    grossValue,
    positions: positions
      .map((position) => positionRisk(position, coveredValue, sample, own))
      .sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || (a.asset < b.asset ? -1 : 1)),
    concentration: grossValue > 0 ? concentrationOf(positions) : null,
    coveredPercent: grossValue > 0 ? (coveredValue / grossValue) * 100 : null,
    reason: grossValue > 0 ? null : 'the book is empty',
    tail95: own && tailOf(own, 0.05, coveredValue, equity),
    tail95Reason: whyNoTail,
    tail99: own && own.length >= fewestFor99 ? tailOf(own, 0.01, coveredValue, equity) : null,
    tail99Reason: own ? whyNo99(own.length) : whyNoTail,
    beta: own && leading ? betaOf(own, leading, candlesPerYear('1d')) : null,
    betaReason: own && !leading ? noLeading : whyNoTail,
    clusters: sample ? clustersOf(covered, quote, sample) : [],
  };
}

const noLeading = `${leadingAsset} is not in the sample`;

const whyNoReturns = (sample: PortfolioSample | null): string =>
  sample ? 'nothing held is in the sample' : 'there is no sample';

const whyNo99 = (days: number): string | null =>
  days >= fewestFor99 ? null : `needs ${fewestFor99} days, found ${days}`;

/** The daily returns of the positions at today's weights. */
function combine(
  positions: readonly BookPosition[],
  grossValue: number,
  { count, returns }: PortfolioSample,
): Float64Array {
  const own = new Float64Array(count);
  for (const { asset, value } of positions) {
    const each = returns.get(asset)!;
    for (let i = 0; i < count; i++) own[i] += (value / grossValue) * each[i];
  }
  return own;
}

function positionRisk(
  { weight, ...position }: BookPosition,
  coveredValue: number,
  sample: PortfolioSample | null,
  own: Float64Array | null,
): PositionRisk {
  const returns = sample?.returns.get(position.asset);
  const leading = sample?.returns.get(leadingAsset);
  const toLeading = returns && leading && linearRegression(leading, returns);
  // The slope of a regression on the book is the covariance with the book divided by its variance.
  const toOwn = returns && own && linearRegression(own, returns);
  return {
    ...position,
    weightPercent: weight * 100,
    beta: toLeading?.slope ?? null,
    riskSharePercent: toOwn ? (position.value / coveredValue) * toOwn.slope * 100 + 0 : null,
    reason: returns
      ? reasonsOf(
          !leading && noLeading,
          leading !== undefined && !toLeading && `the price of ${leadingAsset} does not move`,
          !toOwn && 'the value of the book does not move',
        )
      : sample
        ? 'the asset is not in the sample'
        : 'there is no sample',
  };
}

function concentrationOf(positions: readonly BookPosition[]): NonNullable<BookRisk['concentration']> {
  const herfindahl = positions.reduce((sum, { weight }) => sum + weight * weight, 0);
  const [largest] = [...positions].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return {
    herfindahl,
    effectiveNumber: 1 / herfindahl,
    largest: largest.asset,
    largestPercent: Math.abs(largest.weight) * 100,
  };
}

/** An equity below this share of the gross value is a rounding error. */
const leastEquity = 1e-12;

function tailOf(returns: Float64Array, share: number, grossValue: number, equity: number): TailFigures {
  const ascending = returns.slice().sort();
  const { valueAtRisk, conditional, tail } = historicalValueAtRisk(ascending, share);
  const independent = independentInTail(returns, 0 - valueAtRisk, 1);
  const { low, high } = quantileInterval(ascending, share, independent);
  const hasEquity = equity > leastEquity * grossValue;
  // A low return is a high loss. Addition of 0 turns -0 into 0.
  const percent = (loss: number | null) =>
    loss === null || !hasEquity ? null : loss * (grossValue / equity) * 100 + 0;
  const lossAt = (rate: number | null) => (rate === null ? null : 0 - rate);
  return {
    varPercent: percent(valueAtRisk),
    varLowPercent: percent(lossAt(high)),
    varHighPercent: percent(lossAt(low)),
    cvarPercent: percent(conditional),
    percentReason: hasEquity
      ? whyNoIntervalEnd({ low, high }, independent)
      : `the equity is ${formatNumber(equity)}: a share of it has no meaning`,
    varValue: valueAtRisk * grossValue + 0,
    cvarValue: conditional * grossValue + 0,
    days: tail,
  };
}

function clustersOf(
  positions: readonly BookPosition[],
  quote: string,
  { returns }: PortfolioSample,
): AssetCluster[] {
  const moving = positions.filter(({ asset }) => asset !== quote);
  return assetClusters(moving.map(({ asset, weight }) => ({ asset, weight, returns: returns.get(asset)! })));
}
