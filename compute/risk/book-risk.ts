import { betaOf, type Beta } from '../market/beta.js';
import { linearRegression } from '../metrics/linear-regression.js';
import { quantileInterval } from '../metrics/quantile-interval.js';
import { historicalValueAtRisk } from '../metrics/value-at-risk.js';
import { candlesPerYear } from '../model/interval.js';
import { assetClusters, type AssetCluster } from './asset-clusters.js';
import type { Book, BookPosition } from './book.js';
import { leadingAsset, type PortfolioSample } from './portfolio-sample.js';

/** Of one position. The face adds leverage and the risk label, which follow from the account and from 1h candles. */
export interface PositionRisk extends Omit<BookPosition, 'weight'> {
  /** Of the gross value, in percent; below 0 for what is owed. */
  weightPercent: number;
  /** To BTC; null where the asset is left out of the sample. */
  beta: number | null;
  /** Share of the variance of the covered book, in percent; all add up to 100, and a hedge has less than 0. */
  riskSharePercent: number | null;
}

/** What one day may cost, in percent of the covered gross value and in the quote currency; a gain is below 0. */
export interface TailFigures {
  varPercent: number;
  /** The 95 % interval of the value at risk; null where the sample has no loss so far out. */
  varLowPercent: number | null;
  varHighPercent: number | null;
  cvarPercent: number;
  varValue: number;
  cvarValue: number;
  /** How many days of the sample lost as much or more. */
  days: number;
}

/** What a book holds, how it is spread, and what it may lose. */
export interface BookRisk {
  /** In the quote currency: what is held less what is owed, and both added up. */
  value: number;
  grossValue: number;
  /** The largest first. */
  positions: PositionRisk[];
  /** Null for an empty book. */
  concentration: {
    /** The sum of squared weights: 1 for one asset, 1 / n for n equal ones. Herfindahl and Hirschman. */
    herfindahl: number;
    /** 1 / herfindahl: as many equal positions would be as concentrated. */
    effectiveNumber: number;
    largest: string;
    largestPercent: number;
  } | null;
  /** How much of the gross value the figures below rest on, in percent; null for an empty book. */
  coveredPercent: number | null;
  /** What 95 and 99 of 100 days do not lose, and the mean of those that do; the latter takes 100 days. */
  tail95: TailFigures | null;
  tail99: TailFigures | null;
  /** Of the covered book to BTC, with its 95 % interval; null without BTC in the sample. */
  beta: Beta | null;
  /** Assets that move together, the heaviest first; the quote currency is in none. */
  clusters: AssetCluster[];
}

/** A day in 100 takes so many of them. */
const fewestFor99 = 100;

/** The risk of a book on a sample; without one, only what its values say. */
export function bookRisk(book: Book, quote: string, sample: PortfolioSample | null): BookRisk {
  const { value, grossValue, positions } = book;
  const covered = positions.filter(({ asset }) => sample?.returns.has(asset));
  const coveredValue = covered.reduce((sum, each) => sum + Math.abs(each.value), 0);
  const own = sample && coveredValue > 0 ? combine(covered, coveredValue, sample) : null;
  const leading = sample?.returns.get(leadingAsset);
  return {
    value,
    grossValue,
    positions: positions
      .map((position) => positionRisk(position, coveredValue, sample, own))
      .sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || (a.asset < b.asset ? -1 : 1)),
    concentration: concentrationOf(positions),
    coveredPercent: grossValue > 0 ? (coveredValue / grossValue) * 100 : null,
    tail95: own && tailOf(own, 0.05, coveredValue),
    tail99: own && own.length >= fewestFor99 ? tailOf(own, 0.01, coveredValue) : null,
    beta: own && leading ? betaOf(own, leading, candlesPerYear('1d')) : null,
    clusters: sample ? clustersOf(covered, quote, sample) : [],
  };
}

/** The daily returns of positions at their weights of today. */
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
  // Covariance with the book over variance of the book: the slope on it.
  const toOwn = returns && own && linearRegression(own, returns);
  return {
    ...position,
    weightPercent: weight * 100,
    beta: toLeading?.slope ?? null,
    riskSharePercent: toOwn ? (position.value / coveredValue) * toOwn.slope * 100 : null,
  };
}

function concentrationOf(positions: readonly BookPosition[]): BookRisk['concentration'] {
  if (positions.length === 0) return null;
  const herfindahl = positions.reduce((sum, { weight }) => sum + weight * weight, 0);
  const [largest] = [...positions].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return {
    herfindahl,
    effectiveNumber: 1 / herfindahl,
    largest: largest.asset,
    largestPercent: Math.abs(largest.weight) * 100,
  };
}

function tailOf(returns: Float64Array, share: number, value: number): TailFigures {
  const ascending = returns.slice().sort();
  const { valueAtRisk, conditional, tail } = historicalValueAtRisk(ascending, share);
  const { low, high } = quantileInterval(ascending, share);
  // A low return is a high loss; 0 - 0 is 0, while -0 is not.
  const percent = (rate: number | null) => (rate === null ? null : 0 - rate * 100);
  return {
    varPercent: valueAtRisk * 100 + 0,
    varLowPercent: percent(high),
    varHighPercent: percent(low),
    cvarPercent: conditional * 100 + 0,
    varValue: valueAtRisk * value + 0,
    cvarValue: conditional * value + 0,
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
