import type { Exchange } from 'ccxt';
import { Decimal, decimalPattern } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { lastOfTickers } from '../last-of-tickers.js';
import { readDecimal } from '../read-decimal.js';
import type { VenueMarket } from '../trading-venue.js';
import type { Venue } from '../venue.js';
import type { StreamAccount } from '../venue-stream.js';
import { marketSymbol } from './market-rules.js';
import { LiveTradeStream, type LiveTradeStreamOptions } from './stream/live-trade-stream.js';
import { tradedRange } from './traded-range.js';

/** Sends a public request of a client that has loaded the markets. */
type AskMarket = <T>(request: (client: Exchange) => Promise<T>) => Promise<T>;

/** A new client that connects by websocket, with markets; ready for the market of an account. */
type ConnectMarket = (account: StreamAccount) => Promise<Exchange>;

/** The markets of the accounts of a venue: spot and margin have one, futures another. */
export function liveMarkets(
  venue: Venue,
  ask: AskMarket,
  connect: ConnectMarket,
  { lagMs, ...more }: Pick<LiveTradeStreamOptions, 'reconnectMs'> & Pick<VenueMarket, 'lagMs'> = {},
): Map<TradingAccount, VenueMarket> {
  const { id, trading, stream } = venue;
  const marketOf = (name: string, account: StreamAccount): VenueMarket => ({
    name,
    ...(lagMs && { lagMs }),
    ticks: (pairs) =>
      eachIfRefused(pairs, (some) => ask((client) => lastTicks(client, venue, some, account))),
    turnover: (pair) => ask((client) => dayTurnover(client, pair, account)),
    range: (pair, sinceMs) => ask((client) => tradedRange(client, marketSymbol(pair, account), sinceMs)),
    ...(stream && {
      stream: (listener) =>
        new LiveTradeStream({ ...listener, ...more, account, stream, connect: () => connect(account) }),
    }),
  });
  const [spot, futures] = [marketOf(`${id}-spot`, 'SPOT'), marketOf(`${id}-futures`, 'FUTURES')];
  return new Map([...trading!.accounts].map((account) => [account, account === 'FUTURES' ? futures : spot]));
}

/** The prices of pairs. Where the exchange refuses the request, because it has taken one of them off, each is asked for alone. */
async function eachIfRefused(
  pairs: readonly PairSymbols[],
  ask: (pairs: readonly PairSymbols[]) => Promise<MarketTick[]>,
): Promise<MarketTick[]> {
  const ifRefused = (instead: () => MarketTick[] | Promise<MarketTick[]>) => (error: unknown) => {
    if (error instanceof AppError && error.code === 'exchange_refused') return instead();
    throw error;
  };
  const each = async () =>
    (await Promise.all(pairs.map((pair) => ask([pair]).catch(ifRefused(() => []))))).flat();
  return ask(pairs).catch(ifRefused(() => (pairs.length > 1 ? each() : [])));
}

/** The value of a day's trades. Binance, Bybit and KuCoin tell it in the quote asset (`quoteVolume` of ccxt's tickers). */
async function dayTurnover(
  client: Exchange,
  pair: PairSymbols,
  account: StreamAccount,
): Promise<Decimal | null> {
  const tickerOf = async (symbol: string) => (await client.fetchTickers([symbol]))[symbol];
  const traded = (await tickerOf(marketSymbol(pair, account)))?.quoteVolume;
  if (traded === undefined) return null;
  const usdt = marketSymbol({ base: pair.quote, quote: 'USDT' }, 'SPOT');
  const rate = pair.quote === 'USDT' ? 1 : (await tickerOf(usdt))?.last;
  return rate === undefined ? null : readDecimal(traded).times(readDecimal(rate));
}

/** The last prices of those pairs that the venue lists, by a client that has loaded its markets. */
export async function lastTicks(
  client: Exchange,
  { trading }: Venue,
  pairs: readonly PairSymbols[],
  account: TradingAccount,
): Promise<MarketTick[]> {
  const listed = new Map(pairs.map((pair) => [marketSymbol(pair, account), pair]));
  for (const symbol of listed.keys()) if (!client.markets?.[symbol]) listed.delete(symbol);
  if (listed.size === 0) return [];
  const symbols = [...listed.keys()];
  const prices = await (trading!.lastPrices?.(client, symbols, account) ?? lastOfTickers(client, symbols));
  return prices.map(({ symbol, last, bid, ask, at }) => {
    const price = inBook(readDecimal(last), bid, ask);
    return { pair: listed.get(symbol)!, price, high: price, low: price, volume: null, since: at, at };
  });
}

/** The last price, or the best one of the book where the last trade was beyond it: a single trade may be a mistake. */
function inBook(last: Decimal, bid: unknown, ask: unknown): Decimal {
  const [low, high] = [bid, ask].map((each) =>
    decimalPattern.test(String(each)) ? readDecimal(each) : Decimal.zero,
  );
  if (low.sign <= 0 || high.sign <= 0 || low.compare(high) > 0) return last;
  return last.compare(low) < 0 ? low : Decimal.min(last, high);
}
