import type { Exchange, MarketInterface, Ticker } from 'ccxt';
import { AppError } from '../../compute/model/errors.js';
import type { PriceTick } from '../../compute/model/price.js';
import type { MarketDataSource, ListedPair } from './market-data-source.js';
import { GuardedExchange, type GuardedExchangeOptions } from './guarded-exchange.js';
import { pairName, parsePair, type PairSymbols } from '../../compute/model/market-pair.js';

/** Hours per answer where ccxt does not know the exchange's limit, and the largest number to request. */
const defaultPageHours = 300;
const maxPageHours = 1_000;
/** A request for the prices of more pairs than this gets the prices of all pairs instead. */
const maxNamedPairs = 100;

/** Candles and prices of one exchange through ccxt, within the request budget that all processes share. */
export class CcxtSource implements MarketDataSource {
  readonly id: string;
  readonly pageHours: number;
  readonly #guard: GuardedExchange;
  readonly #exchange: Exchange;

  /** Loads the exchange's part of ccxt; sends no request. */
  static async open(options: GuardedExchangeOptions): Promise<CcxtSource> {
    return new CcxtSource(await GuardedExchange.open(options));
  }

  constructor(guard: GuardedExchange) {
    this.id = guard.id;
    this.#guard = guard;
    this.#exchange = guard.exchange;
    const limit: unknown = guard.exchange.featureValueByType('spot', undefined, 'fetchOHLCV', 'limit');
    this.pageHours =
      typeof limit === 'number' && limit > 0 ? Math.min(limit, maxPageHours) : defaultPageHours;
  }

  clock(): number {
    return this.#guard.clock();
  }

  async pairs(): Promise<ListedPair[]> {
    const markets = await this.#guard.ask(async () => {
      await this.#guard.loadMarkets();
      return Object.values((this.#exchange.markets ?? {}) as Record<string, MarketInterface | undefined>);
    });
    return markets
      .filter((market) => market?.spot)
      .map((market) => ({ symbols: parsePair(market!.symbol), active: market!.active !== false }))
      .filter((market): market is { symbols: PairSymbols; active: boolean } => market.symbols !== null)
      .map(({ symbols, active }) => ({ ...symbols, active }));
  }

  /** The given pairs that the exchange lists. */
  async traded(pairs: readonly PairSymbols[]): Promise<PairSymbols[]> {
    if (pairs.length > 0) await this.#guard.ask(() => this.#guard.loadMarkets());
    const markets: Record<string, unknown> = this.#exchange.markets ?? {};
    return pairs.filter((pair) => Object.hasOwn(markets, pairName(pair)));
  }

  async hours(pair: PairSymbols, fromMs: number, limit: number): Promise<unknown[]> {
    const symbol = pairName(pair);
    return this.#guard.ask(async () => {
      await this.#guard.loadMarkets();
      return this.#exchange.fetchOHLCV(symbol, '1h', fromMs, Math.min(limit, this.pageHours));
    });
  }

  async ticks(pairs: readonly PairSymbols[]): Promise<PriceTick[]> {
    if (!this.#exchange.has.fetchTickers) return [];
    const names = pairs.map(pairName);
    const tickers = names.length > maxNamedPairs ? await this.#tickers() : await this.#namedTickers(names);
    const wanted = new Set(names);
    return Object.values(tickers)
      .filter(({ symbol }) => wanted.has(symbol ?? ''))
      .map((ticker) => tickOf(ticker, this.#guard.now()))
      .filter((tick) => tick !== null);
  }

  /**
   * The tickers of these pairs. An exchange refuses the whole request if it no longer lists one of them; then the tickers of all
   * pairs are requested.
   */
  async #namedTickers(names: string[]): Promise<Record<string, Ticker>> {
    try {
      return await this.#tickers(names);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'exchange_refused') throw error;
      return this.#tickers();
    }
  }

  #tickers(names?: string[]): Promise<Record<string, Ticker>> {
    return this.#guard.ask(async () => {
      await this.#guard.loadMarkets();
      return this.#exchange.fetchTickers(names);
    });
  }

  async turnover(quote: string): Promise<Map<string, number>> {
    const tickers = this.#exchange.has.fetchTickers ? await this.#tickers() : {};
    const sums = Object.values(tickers).map(({ symbol, quoteVolume, baseVolume, last }): [string, number] => [
      symbol ?? '',
      quoteVolume ?? (baseVolume ?? 0) * (last ?? 0),
    ]);
    return new Map(sums.filter(([symbol]) => symbol.endsWith(`/${quote}`)));
  }
}

function tickOf({ symbol, last, percentage, timestamp }: Ticker, nowMs: number): PriceTick | null {
  const symbols = parsePair(symbol ?? '');
  if (!symbols || !Number.isFinite(last) || last! <= 0) return null;
  const change24hPercent = Number.isFinite(percentage) ? percentage! : null;
  return { ...symbols, price: last!, change24hPercent, time: timestamp ?? nowMs };
}
