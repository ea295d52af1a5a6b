import type { Exchange } from 'ccxt';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { CircuitBreaker, type CircuitLimits } from './circuit-breaker.js';
import { explainFailure, explainSignedFailure, type ExplainedFailure } from './explain-failure.js';
import type { ExchangeAnswer } from './fetch-whole.js';
import { openCcxt, type CcxtOptions, type ExchangeKey, type OpenedCcxt } from './open-ccxt.js';
import { RequestBudget } from './request-budget.js';

export interface GuardedExchangeOptions {
  redis: Redis;
  /** The ccxt id of the exchange. */
  id: string;
  /** Replaces the exchange's own address, if not empty. */
  url: string;
  /** Cost of requests per minute over all processes, in ccxt's units; 0: the limit that ccxt knows. */
  budgetPerMinute: number;
  /** Ends every request and every wait. */
  signal: AbortSignal;
  circuit?: Partial<CircuitLimits>;
  timeoutMs?: number;
  now?: () => number;
}

/** The pause after "too many requests" (429) or "banned" (418) without a Retry-After header, in ms. */
const defaultPauseMs: Record<number, number> = { 429: 60_000, 418: 120_000 };
const defaultTimeoutMs = 10_000;

/** One exchange through ccxt, within the request budget and the circuit breaker that all processes share. */
export class GuardedExchange {
  readonly id: string;
  /** The client without a key, for public data. */
  readonly exchange: Exchange;
  readonly #options: GuardedExchangeOptions;
  readonly #opened: OpenedCcxt;
  readonly #breaker: CircuitBreaker;
  readonly #budget: RequestBudget;
  readonly #now: () => number;
  /** How far the exchange's clock was behind this machine's in the last answer. */
  #lagMs = 0;

  /** Loads the exchange's part of ccxt; sends no request. */
  static async open(options: GuardedExchangeOptions): Promise<GuardedExchange> {
    const guard: { exchange?: GuardedExchange } = {};
    const opened = await openCcxt(ccxtOptions(options, () => guard.exchange!));
    return (guard.exchange = new GuardedExchange(options, opened));
  }

  private constructor(options: GuardedExchangeOptions, opened: OpenedCcxt) {
    const { id, redis, circuit, now = Date.now } = options;
    this.id = id;
    this.exchange = opened.exchange;
    this.#options = options;
    this.#opened = opened;
    this.#now = now;
    this.#breaker = new CircuitBreaker(redis, id, circuit);
    const perMinute = options.budgetPerMinute || 60_000 / Number(opened.exchange.rateLimit);
    this.#budget = new RequestBudget(redis, id, perMinute);
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  /** This machine's time in ms. */
  now(): number {
    return this.#now();
  }

  /** The earlier of this machine's time and the exchange's, in ms. */
  clock(): number {
    return this.#now() - Math.max(0, this.#lagMs);
  }

  /** Loads the markets once. ccxt keeps a failed load, so it is told to load again until there are markets. */
  async loadMarkets(): Promise<void> {
    await this.exchange.loadMarkets(this.exchange.markets === undefined);
  }

  /** A client that signs its requests with the key. Its numbers are text, as the exchange wrote them. */
  async withKey(key: ExchangeKey): Promise<Exchange> {
    const { exchange } = await openCcxt({ ...ccxtOptions(this.#options, () => this), key });
    return exchange;
  }

  /**
   * Sends a public request through the circuit breaker. Throws `exchange_unavailable`, `exchange_refused`,
   * `redis_unavailable` and `cancelled`.
   */
  ask<T>(request: () => Promise<T>): Promise<T> {
    return this.#send(request, (error) => explainFailure(error, this.#opened));
  }

  /**
   * Sends a request that is signed with the key. Throws as `ask` does; the details of `exchange_refused` have a `reason`:
   * "key" when the exchange does not accept the key, "clock" when it does not accept this machine's time, else "request". A
   * refusal does not count as a failure of the exchange. No error contains the key or the signature.
   */
  askAsOwner<T>(key: ExchangeKey, request: () => Promise<T>): Promise<T> {
    return this.#send(request, (error) => explainSignedFailure(error, this.#opened, key));
  }

  async #send<T>(request: () => Promise<T>, explain: (error: unknown) => ExplainedFailure): Promise<T> {
    await this.#breaker.admit();
    try {
      const answer = await request();
      await this.#breaker.succeeded();
      return answer;
    } catch (error) {
      if (this.signal.aborted) throw new AppError('cancelled', 'the request was cancelled');
      if (error instanceof AppError) throw error;
      throw await this.#count(explain(error));
    }
  }

  /** Reports the failure to the circuit breaker and returns its error. */
  async #count({ error, countsAgainstExchange }: ExplainedFailure): Promise<AppError> {
    if (countsAgainstExchange) await this.#breaker.failed(error.message);
    else await this.#breaker.succeeded();
    return error;
  }

  /** Waits for the budget. The circuit may open meanwhile: throws as `CircuitBreaker.check` does. */
  async beforeRequest(cost: number): Promise<void> {
    await this.#budget.take(cost, this.signal);
    await this.#breaker.check();
  }

  /** Notes the exchange's clock. Opens the circuit and throws `exchange_unavailable` for "too many requests" and "banned". */
  async afterAnswer({ status, dateMs, retryAfterMs }: ExchangeAnswer): Promise<void> {
    if (status < 400 && dateMs !== null) this.#lagMs = this.#now() - dateMs;
    if (defaultPauseMs[status] === undefined) return;
    const pauseMs = retryAfterMs ?? defaultPauseMs[status];
    const reason = status === 429 ? 'too many requests (429)' : 'this address is banned (418)';
    await this.#breaker.failed(reason, pauseMs);
    const details = { retryAfterMs: pauseMs };
    throw new AppError('exchange_unavailable', `requests to ${this.id} are paused: ${reason}`, { details });
  }
}

const ccxtOptions = (
  { id, url, signal, timeoutMs = defaultTimeoutMs }: GuardedExchangeOptions,
  guard: () => GuardedExchange,
): CcxtOptions => ({
  id,
  url,
  timeoutMs,
  signal,
  beforeRequest: (cost) => guard().beforeRequest(cost),
  afterAnswer: (answer) => guard().afterAnswer(answer),
});
