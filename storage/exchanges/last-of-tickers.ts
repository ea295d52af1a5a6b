import type { Exchange } from 'ccxt';
import type { LastPrice } from './venue-trading.js';

/** The last prices of markets, from ccxt's tickers. Tickers without a price or a time are left out. */
export async function lastOfTickers(client: Exchange, symbols: readonly string[]): Promise<LastPrice[]> {
  const tickers = await client.fetchTickers([...symbols]);
  return symbols.flatMap((symbol) => {
    const { last, bid, ask, timestamp: at } = tickers[symbol] ?? {};
    return last === undefined || at === undefined ? [] : [{ symbol, last, bid, ask, at }];
  });
}
