import { marketNow } from '../market/market-now.js';
import { AppError } from '../model/errors.js';
import type { MarketQuestion } from '../task.js';
import { clusterThreshold } from './asset-clusters.js';
import { addHoldings, pricesOf, valueBook, type Holding } from './book.js';
import { bookRisk, type BookRisk } from './book-risk.js';
import { portfolioSample, type LeftOut, type PortfolioSample } from './portfolio-sample.js';

export interface PortfolioRiskParams {
  positions: readonly Holding[];
  /** Hypothetical trades: what would be bought, or sold where below 0. */
  changes: readonly { asset: string; quantityDelta: number }[];
}

export interface PortfolioRisk {
  /** Close time of the newest candle, in ms, UTC. */
  asOf: number;
  before: BookRisk;
  /** With the changes made; null where there are none. On the same days as `before`. */
  after: BookRisk | null;
  /** The common daily returns that the figures rest on; null with fewer than 30. */
  sample: Omit<PortfolioSample, 'returns'> | null;
  /** Assets held that are not in the sample: valued at their last close, they may be worth something else. */
  leftOut: LeftOut[];
  /** The mean correlation from which on assets are one cluster. */
  clusterThreshold: number;
}

/**
 * The risk of a portfolio, and of the same after hypothetical trades, from 1d candles of the assets held and of BTC:
 * today's weights on the last 730 days that all assets have in common (historical simulation, daily rebalanced). The
 * quote currency counts as an asset that does not move. Throws `invalid_input` for other candles or an asset without
 * a price, `not_enough_history` without any candle.
 */
export function portfolioRisk({
  pairs,
  interval,
  params,
}: MarketQuestion<PortfolioRiskParams>): PortfolioRisk {
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
  const held = [...new Set(all.map(({ asset }) => asset))].filter((asset) => asset !== quote);
  const { sample, leftOut } = portfolioSample(held, present, quote);
  const risk = (holdings: readonly Holding[]) => bookRisk(valueBook(holdings, prices), quote, sample);
  return {
    asOf,
    before: risk(before),
    after: trades.length === 0 ? null : risk(addHoldings(all)),
    sample: sample && { count: sample.count, from: sample.from, to: sample.to },
    leftOut,
    clusterThreshold,
  };
}
