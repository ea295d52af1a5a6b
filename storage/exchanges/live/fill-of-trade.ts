import type { Trade } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import { readDecimal } from '../read-decimal.js';
import { feesOf } from '../trade-fees.js';
import type { VenueFill } from '../trading-venue.js';

export interface FillTerms {
  pair: PairSymbols;
  /** How much of the base asset one unit of its amount is. */
  contractSize: Decimal;
  /** Its time where it names none. */
  atMs: number;
}

/** A trade as ccxt gives it. Throws `exchange_unavailable` for one without an id. */
export function fillOfTrade(trade: Trade, { pair, contractSize, atMs }: FillTerms): VenueFill {
  const { id, amount, price, timestamp } = trade;
  const { baseFee, quoteFee, otherFees } = feesOf(trade, pair);
  return {
    tradeId: String(id),
    quantity: readDecimal(amount).times(contractSize),
    price: readDecimal(price),
    ...{ baseFee, quoteFee },
    ...(otherFees.length > 0 && { otherFees }),
    at: timestamp ?? atMs,
  };
}

/** Trades by id, each once and the oldest first. */
export const inOrder = <Fill extends VenueFill>(fills: readonly Fill[]): Fill[] =>
  [...new Map(fills.map((fill) => [fill.tradeId, fill])).values()].sort((one, other) => one.at - other.at);

/** What was traded in all, in base units. */
export const tradedQuantity = (fills: readonly VenueFill[]): Decimal =>
  fills.reduce((sum, { quantity }) => sum.plus(quantity), Decimal.zero);
