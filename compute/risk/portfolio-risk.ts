import { defineAnalysis } from '../analysis.js';
import { marketNow } from '../market/market-now.js';
import { assetField, leadingAsset } from '../model/asset-fields.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReasonOf } from '../model/null-reason.js';
import type { MarketQuestion } from '../task.js';
import { clusterThreshold } from './asset-clusters.js';
import { addHoldings, bookHolding, pricesOf, valueBook, type BookHolding } from './book.js';
import { bookRisk, bookRiskFields } from './book-risk.js';
import { leftOutAsset, portfolioSample, sampleFields, tooFewReturns } from './portfolio-sample.js';

const portfolioRiskParams = {
  positions: field.list('what the portfolio holds', bookHolding, {
    max: 500,
    example: [
      { asset: 'BTC', quantity: 0.5 },
      { asset: 'ETH', quantity: 4 },
    ],
  }),
  changes: field.list(
    'hypothetical trades at the latest prices, paid from cash or into it',
    field.object('a trade', {
      asset: assetField,
      quantityDelta: field.number('quantity bought; below 0: sold', { unit: 'base' }),
    }),
    { max: 20, default: [] },
  ),
  prices: field.list(
    'prices now; an asset without one counts at its last close',
    field.object('a price', {
      asset: assetField,
      price: field.number('price now', { unit: 'quote', min: 0 }),
    }),
    { max: 500, default: [] },
  ),
};

export type PortfolioRiskParams = Values<typeof portfolioRiskParams>;

const portfolioRiskOutput = field.object('the risk of the portfolio', {
  asOf: field.time('close time of the newest candle'),
  before: field.object('the portfolio without the changes', bookRiskFields),
  after: field.nullable(
    field.object('the portfolio with the changes, over the same days; null without changes', bookRiskFields),
  ),
  sample: field.nullable(
    field.object(
      'the common daily returns that the figures are made of; null with fewer than 30',
      sampleFields,
    ),
  ),
  sampleReason: nullReasonOf('sample'),
  leftOut: field.list(
    'assets held that are not in the sample; they are valued at their last close, which may be out of date',
    leftOutAsset,
  ),
  method: field.text('how the losses are estimated'),
  clusterThreshold: field.number('mean correlation from which on assets form a cluster'),
});

const method =
  'historical simulation with the weights of today; interval by ranks (Conover), for as many independent days as the clustering of losses leaves (Newey and West; Politis and White, 2004)';

export type PortfolioRisk = Value<typeof portfolioRiskOutput>;

export const portfolioRisk = defineAnalysis({
  name: 'portfolio-risk',
  title: 'Portfolio risk',
  summary:
    'Value at risk, beta to BTC, concentration and correlation clusters of a portfolio, before and after hypothetical trades.',
  needs: 'assets',
  interval: '1d',
  params: portfolioRiskParams,
  assets: ({ positions, changes }) => [...positions, ...changes].map(({ asset }) => asset),
  besides: [leadingAsset],
  allowsQuote: true,
  output: portfolioRiskOutput,
  scope: 'user',
  cost: 5,
  run: (question) => assessPortfolio(question),
});

/**
 * The risk of a portfolio, and of the same portfolio after hypothetical trades, from 1d candles of its assets and of BTC.
 * Historical simulation: today's weights, rebalanced daily, over the last 730 days that all assets have in common. The
 * price of the quote currency counts as constant. Throws `invalid_input` for another interval or an asset without a
 * price, `not_enough_history` without any candle.
 */
function assessPortfolio({ pairs, interval, params }: MarketQuestion<PortfolioRiskParams>): PortfolioRisk {
  if (interval !== '1d')
    throw new AppError('invalid_input', `portfolio risk is read from 1d candles, not from ${interval}`, {
      details: { field: 'interval' },
    });
  const { asOf, present } = marketNow(pairs, interval);
  const quote = pairs[0].tradeMarket;
  const before = addHoldings(params.positions);
  const trades = params.changes.map(({ asset, quantityDelta }) => ({ asset, quantity: quantityDelta }));
  const all = [...params.positions, ...trades];
  const prices = pricesOf(all, pairs, quote);
  if (quote !== undefined) prices.set(quote, 1);
  for (const { asset, price } of params.prices)
    if (prices.has(asset) && asset !== quote) prices.set(asset, price);
  const cost = trades
    .filter(({ asset }) => asset !== quote)
    .reduce((sum, { asset, quantity }) => sum + quantity * prices.get(asset)!, 0);
  const held = [...new Set(all.map(({ asset }) => asset))].filter((asset) => asset !== quote);
  const { sample, leftOut } = portfolioSample(held, present, quote);
  const risk = (holdings: readonly BookHolding[]) => bookRisk(valueBook(holdings, prices), quote, sample);
  return {
    asOf,
    before: risk(before),
    after:
      trades.length === 0
        ? null
        : risk(addHoldings(quote === undefined ? all : [...all, { asset: quote, quantity: -cost }])),
    sample: sample && { count: sample.count, from: sample.from, to: sample.to },
    sampleReason: sample ? null : tooFewReturns,
    leftOut,
    method,
    clusterThreshold,
  };
}
