import type { Trade } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import { readDecimal } from '../read-decimal.js';
import { feesOf } from '../trade-fees.js';
import type { VenueFill } from '../trading-venue.js';

export interface FillTerms {
  pair: PairSymbols;
  /** The quantity of the base asset in one unit of the trade's amount. */
  contractSize: Decimal;
  /** The time of a trade for which the exchange sends none, in ms. */
  atMs: number;
}

/** The fill of a trade in ccxt's form. Throws `exchange_unavailable` for an amount or price that is no number. */
export function fillOfTrade(trade: Trade, { pair, contractSize, atMs }: FillTerms): VenueFill {
  const { id, amount, price, timestamp } = trade;
  const { baseFee, quoteFee, otherFees } = feesOf(trade, pair);
  return {
    tradeId: String(id),
    quantity: readDecimal(amount).times(contractSize),
    price: readDecimal(price),
    baseFee,
    quoteFee,
    ...(otherFees.length > 0 && { otherFees }),
    at: timestamp ?? atMs,
  };
}

/** Each fill once, the oldest first. */
export const inOrder = <Fill extends VenueFill>(fills: readonly Fill[]): Fill[] =>
  [...new Map(fills.map((fill) => [fill.tradeId, fill])).values()].sort((one, other) => one.at - other.at);

/** The total quantity of the fills, in base units. */
export const tradedQuantity = (fills: readonly VenueFill[]): Decimal =>
  fills.reduce((sum, { quantity }) => sum.plus(quantity), Decimal.zero);
