import type { Exchange } from 'ccxt';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { lastOfTickers } from '../last-of-tickers.js';
import { readDecimal } from '../read-decimal.js';
import type { VenueMarket } from '../trading-venue.js';
import type { Venue } from '../venue.js';
import type { LastPrice } from '../venue-trading.js';
import { marketSymbol } from './market-rules.js';

/** Sends a public request of a client that has loaded the markets. */
type AskMarket = <T>(request: (client: Exchange) => Promise<T>) => Promise<T>;

type LastPrices = (
  client: Exchange,
  symbols: readonly string[],
  account: TradingAccount,
) => Promise<LastPrice[]>;

/** The markets of the accounts of a venue: spot and margin have one, futures another. */
export function liveMarkets({ id, trading }: Venue, ask: AskMarket): Map<TradingAccount, VenueMarket> {
  const lastPrices: LastPrices = (client, symbols, account) =>
    trading!.lastPrices?.(client, symbols, account) ?? lastOfTickers(client, symbols);
  const marketOf = (name: string, account: TradingAccount): VenueMarket => ({
    name,
    ticks: (pairs) => ask((client) => lastTicks(client, pairs, account, lastPrices)),
  });
  const [spot, futures] = [marketOf(`${id}-spot`, 'SPOT'), marketOf(`${id}-futures`, 'FUTURES')];
  return new Map([...trading!.accounts].map((account) => [account, account === 'FUTURES' ? futures : spot]));
}

async function lastTicks(
  client: Exchange,
  pairs: readonly PairSymbols[],
  account: TradingAccount,
  lastPrices: LastPrices,
): Promise<MarketTick[]> {
  const listed = new Map(pairs.map((pair) => [marketSymbol(pair, account), pair]));
  for (const symbol of listed.keys()) if (!client.markets?.[symbol]) listed.delete(symbol);
  if (listed.size === 0) return [];
  const prices = await lastPrices(client, [...listed.keys()], account);
  return prices.map(({ symbol, last, at }) => {
    const price = readDecimal(last);
    return { pair: listed.get(symbol)!, price, high: price, low: price, volume: null, since: at, at };
  });
}
