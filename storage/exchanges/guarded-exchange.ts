import type { Exchange } from 'ccxt';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { CircuitBreaker, type CircuitLimits } from './circuit-breaker.js';
import { openCcxt, type ExchangeAnswer, type ExchangeKey, type OpenedCcxt } from './open-ccxt.js';
import { RequestBudget } from './request-budget.js';

export interface GuardedExchangeOptions {
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
const longestReason = 200;

/** One exchange through ccxt, within the budget and the circuit that all processes share. */
export class GuardedExchange {
  readonly id: string;
  /** What is asked of it needs no key. */
  readonly exchange: Exchange;
  readonly #options: GuardedExchangeOptions;
  readonly #opened: OpenedCcxt;
  readonly #breaker: CircuitBreaker;
  readonly #budget: RequestBudget;
  readonly #now: () => number;
  /** How far the exchange's clock is behind this one, as last told. */
  #lagMs = 0;

  /** Loads the exchange's part of ccxt; asks the exchange nothing yet. */
  static async open(options: GuardedExchangeOptions): Promise<GuardedExchange> {
    const guard: { exchange?: GuardedExchange } = {};
    const opened = await openCcxt(settingsOf(options, () => guard.exchange!));
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

  now(): number {
    return this.#now();
  }

  /** The exchange's clock in ms, as far as it is behind this one. */
  clock(): number {
    return this.#now() - Math.max(0, this.#lagMs);
  }

  /** ccxt keeps even the failure of a first loading: it has to be told to load again. */
  async loadMarkets(): Promise<void> {
    await this.exchange.loadMarkets(this.exchange.markets === undefined);
  }

  /** The same exchange as the owner of a key sees it: numbers come as they were written, as text. */
  async withKey(key: ExchangeKey): Promise<Exchange> {
    const { exchange } = await openCcxt({ ...settingsOf(this.#options, () => this), key });
    return exchange;
  }

  /** One question through the circuit; its error in the service's own words. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    await this.#breaker.admit();
    try {
      const answer = await question();
      await this.#breaker.succeeded();
      return answer;
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  /**
   * One question of the owner of a key. Throws besides what `ask` does `exchange_refused` with `reason` "key" when the
   * exchange does not accept the key, and "clock" when it does not accept the time of this machine. What it refuses to one
   * user is no fault of the exchange, and no error repeats what was sent: neither key nor signature.
   */
  async askAsOwner<T>(key: ExchangeKey, question: () => Promise<T>): Promise<T> {
    await this.#breaker.admit();
    try {
      const answer = await question();
      await this.#breaker.succeeded();
      return answer;
    } catch (error) {
      throw await this.#explainToOwner(error, key);
    }
  }

  async #explain(error: unknown): Promise<AppError> {
    const foreseen = this.#foreseen(error);
    if (foreseen) return foreseen;
    const message = shorten((error as Error).message);
    if (this.#opened.isRefusal(error)) {
      await this.#breaker.succeeded();
      return new AppError('exchange_refused', message, { cause: error });
    }
    await this.#breaker.failed(message);
    return new AppError('exchange_unavailable', message, { cause: error });
  }

  async #explainToOwner(error: unknown, key: ExchangeKey): Promise<AppError> {
    const foreseen = this.#foreseen(error);
    if (foreseen) return foreseen;
    const message = shorten(withoutSecrets((error as Error).message, key));
    const reason = this.#opened.reasonOf(error);
    if (reason === 'failure') {
      await this.#breaker.failed(message);
      return new AppError('exchange_unavailable', message);
    }
    await this.#breaker.succeeded();
    return new AppError('exchange_refused', message, { details: { reason } });
  }

  #foreseen(error: unknown): AppError | null {
    if (this.signal.aborted) return new AppError('cancelled', 'the request was given up');
    return error instanceof AppError ? error : null;
  }

  /** What waits for the budget while the circuit opens is not sent either. */
  async mayAsk(cost: number): Promise<void> {
    await this.#budget.take(cost, this.signal);
    await this.#breaker.check();
  }

  /** Takes note of an answer. Throws `exchange_unavailable` for one that says to ask no more, in whatever words. */
  async heard({ status, dateMs, retryAfterMs }: ExchangeAnswer): Promise<void> {
    if (status < 400 && dateMs !== null) this.#lagMs = this.#now() - dateMs;
    const unsaidMs = unsaidPauseMs[status];
    if (unsaidMs === undefined) return;
    const reason = status === 429 ? 'it counts too many requests (429)' : 'it bans this address (418)';
    const pauseMs = retryAfterMs ?? unsaidMs;
    await this.#breaker.failed(reason, pauseMs);
    const details = { retryAfterMs: pauseMs };
    throw new AppError('exchange_unavailable', `${this.id} is left alone: ${reason}`, { details });
  }
}

const settingsOf = (
  { id, url, signal, timeoutMs = usualTimeoutMs }: GuardedExchangeOptions,
  guard: () => GuardedExchange,
) => ({
  id,
  url,
  timeoutMs,
  signal,
  beforeRequest: (cost: number) => guard().mayAsk(cost),
  afterAnswer: (answer: ExchangeAnswer) => guard().heard(answer),
});

const shorten = (text: string) => (text.length > longestReason ? `${text.slice(0, longestReason)}…` : text);

/** ccxt's errors repeat the address that was asked, with its signature, and what was answered. */
function withoutSecrets(text: string, { apiKey, secret, passphrase }: ExchangeKey): string {
  const known = [apiKey, secret, passphrase ?? ''].filter((each) => each !== '');
  const withoutQueries = text.replace(/(https?:\/\/[^\s?]+)\?\S*/g, '$1');
  return known.reduce((rest, each) => rest.replaceAll(each, '***'), withoutQueries);
}
