import type { Exchange, MarketInterface, Ticker } from 'ccxt';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import type { PriceTick } from '../prices.js';
import { CircuitBreaker, type CircuitLimits } from './circuit-breaker.js';
import type { CandleSource, ListedPair } from './candle-source.js';
import { pairName, parsePair, type PairSymbols } from './market-pair.js';
import { openCcxt, type ExchangeAnswer, type OpenedCcxt } from './open-ccxt.js';
import { RequestBudget } from './request-budget.js';

export interface CcxtSourceOptions {
  redis: Redis;
  /** The ccxt id of the exchange. */
  id: string;
  /** Takes the place of the exchange's own address, if not empty. */
  url: string;
  /** Cost of requests in a minute, over all processes; 0: what ccxt knows. */
  budgetPerMinute: number;
  /** Ends every request and every wait. */
  signal: AbortSignal;
  circuit?: Partial<CircuitLimits>;
  timeoutMs?: number;
  now?: () => number;
}

/** How long an exchange is left alone that says "too many requests" (429) or "banned" (418), but not for how long. */
const unsaidPauseMs: Record<number, number> = { 429: 60_000, 418: 120_000 };
const usualTimeoutMs = 10_000;
/** Hours in one answer where ccxt does not know how many an exchange gives, and the most that are asked for. */
const usualPageHours = 300;
const mostPageHours = 1_000;
/** More pairs than this are not named in a request for prices: all are asked for. */
const mostNamed = 100;
const longestReason = 200;

/** Candles and prices of one exchange, through ccxt, within the budget that all processes share. */
export class CcxtSource implements CandleSource {
  readonly id: string;
  readonly pageHours: number;
  readonly #breaker: CircuitBreaker;
  readonly #budget: RequestBudget;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  readonly #exchange: Exchange;
  readonly #isRefusal: OpenedCcxt['isRefusal'];
  /** How far the exchange's clock is behind this one, as last told. */
  #lagMs = 0;

  /** Loads the exchange's part of ccxt; asks the exchange nothing yet. */
  static async open(options: CcxtSourceOptions): Promise<CcxtSource> {
    const { redis, id, url, signal, timeoutMs = usualTimeoutMs, circuit, now = Date.now } = options;
    const breaker = new CircuitBreaker(redis, id, circuit);
    const hooks: { source?: CcxtSource } = {};
    const opened = await openCcxt({
      id,
      url,
      timeoutMs,
      signal,
      beforeRequest: (cost) => hooks.source!.#mayAsk(cost),
      afterAnswer: (answer) => hooks.source!.#heard(answer),
    });
    const perMinute = options.budgetPerMinute || 60_000 / Number(opened.exchange.rateLimit);
    const budget = new RequestBudget(redis, id, perMinute);
    hooks.source = new CcxtSource(id, opened, { breaker, budget, signal, now });
    return hooks.source;
  }

  private constructor(
    id: string,
    { exchange, isRefusal }: OpenedCcxt,
    parts: { breaker: CircuitBreaker; budget: RequestBudget; signal: AbortSignal; now: () => number },
  ) {
    this.id = id;
    this.#exchange = exchange;
    const most: unknown = exchange.featureValueByType('spot', undefined, 'fetchOHLCV', 'limit');
    this.pageHours = typeof most === 'number' && most > 0 ? Math.min(most, mostPageHours) : usualPageHours;
    this.#isRefusal = isRefusal;
    this.#breaker = parts.breaker;
    this.#budget = parts.budget;
    this.#signal = parts.signal;
    this.#now = parts.now;
  }

  clock(): number {
    return this.#now() - Math.max(0, this.#lagMs);
  }

  async pairs(): Promise<ListedPair[]> {
    const markets = await this.#ask(async () => {
      await this.#loadMarkets();
      return Object.values((this.#exchange.markets ?? {}) as Record<string, MarketInterface | undefined>);
    });
    return markets
      .filter((market) => market?.spot)
      .map((market) => ({ symbols: parsePair(market!.symbol), active: market!.active !== false }))
      .filter((market): market is { symbols: PairSymbols; active: boolean } => market.symbols !== null)
      .map(({ symbols, active }) => ({ ...symbols, active }));
  }

  async hours(pair: PairSymbols, fromMs: number, limit: number): Promise<unknown[]> {
    const symbol = pairName(pair);
    return this.#ask(async () => {
      await this.#loadMarkets();
      return this.#exchange.fetchOHLCV(symbol, '1h', fromMs, Math.min(limit, this.pageHours));
    });
  }

  async ticks(pairs: readonly PairSymbols[]): Promise<PriceTick[]> {
    if (!this.#exchange.has.fetchTickers) return [];
    const names = pairs.map(pairName);
    const tickers = await this.#ask(async () => {
      await this.#loadMarkets();
      return this.#exchange.fetchTickers(names.length > mostNamed ? undefined : names);
    });
    const wanted = new Set(names);
    return Object.values(tickers)
      .filter(({ symbol }) => wanted.has(symbol ?? ''))
      .map((ticker) => tickOf(ticker, this.#now()))
      .filter((tick) => tick !== null);
  }

  async turnover(quote: string): Promise<Map<string, number>> {
    const tickers = await this.#ask(async () => {
      await this.#loadMarkets();
      return this.#exchange.has.fetchTickers ? this.#exchange.fetchTickers() : {};
    });
    const sums = Object.values(tickers as Record<string, Ticker>).map(
      ({ symbol, quoteVolume, baseVolume, last }): [string, number] => [
        symbol ?? '',
        quoteVolume ?? (baseVolume ?? 0) * (last ?? 0),
      ],
    );
    return new Map(sums.filter(([symbol]) => symbol.endsWith(`/${quote}`)));
  }

  /** ccxt keeps even the failure of a first loading: it has to be told to load again. */
  async #loadMarkets(): Promise<void> {
    await this.#exchange.loadMarkets(this.#exchange.markets === undefined);
  }

  /** One question through the circuit; its error in the service's own words. */
  async #ask<T>(question: () => Promise<T>): Promise<T> {
    await this.#breaker.admit();
    try {
      const answer = await question();
      await this.#breaker.succeeded();
      return answer;
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  async #explain(error: unknown): Promise<AppError> {
    if (this.#signal.aborted) return new AppError('cancelled', 'the request was given up', { cause: error });
    if (error instanceof AppError) return error;
    const message = shorten((error as Error).message);
    if (this.#isRefusal(error)) {
      await this.#breaker.succeeded();
      return new AppError('exchange_refused', message, { cause: error });
    }
    await this.#breaker.failed(message);
    return new AppError('exchange_unavailable', message, { cause: error });
  }

  /** What waits for the budget while the circuit opens is not sent either. */
  async #mayAsk(cost: number): Promise<void> {
    await this.#budget.take(cost, this.#signal);
    await this.#breaker.check();
  }

  async #heard({ status, dateMs, retryAfterMs }: ExchangeAnswer): Promise<void> {
    if (status < 400 && dateMs !== null) this.#lagMs = this.#now() - dateMs;
    const pauseMs = unsaidPauseMs[status];
    if (pauseMs === undefined) return;
    const reason = status === 429 ? 'it counts too many requests (429)' : 'it bans this address (418)';
    await this.#breaker.failed(reason, retryAfterMs ?? pauseMs);
  }
}

const shorten = (text: string) => (text.length > longestReason ? `${text.slice(0, longestReason)}…` : text);

function tickOf({ symbol, last, percentage, timestamp }: Ticker, nowMs: number): PriceTick | null {
  const symbols = parsePair(symbol ?? '');
  if (!symbols || !Number.isFinite(last) || last! <= 0) return null;
  const change24hPercent = Number.isFinite(percentage) ? percentage! : null;
  return { ...symbols, price: last!, change24hPercent, time: timestamp ?? nowMs };
}
