import type { Exchange, Market } from 'ccxt';
import type { PairSymbols } from '../../../compute/model/market-pair.js';

/** The pair of a market by its ccxt symbol; null for a market that is not loaded. */
export function pairOfMarket(client: Exchange, symbol: string | undefined): PairSymbols | null {
  const market = symbol === undefined ? undefined : (client.markets?.[symbol] as Market | undefined);
  return market ? { base: market.base, quote: market.quote } : null;
}
