import type { Exchange } from 'ccxt';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { WorkContext } from '../process/work-context.js';
import { answerMeaning } from './answer-meaning.js';
import { CircuitBreaker, type CircuitLimits } from './circuit-breaker.js';
import { explainFailure, explainSignedFailure, type ExplainedFailure } from './explain-failure.js';
import type { ExchangeAnswer } from './fetch-whole.js';
import { KeyPause } from './key-pause.js';
import { openCcxt, type CcxtOptions, type ExchangeKey, type OpenedCcxt } from './open-ccxt.js';
import { readRateLimit } from './rate-limit.js';
import { RequestBudget } from './request-budget.js';
import type { AnswerMeaning } from './venue-answers.js';
import { findVenue } from './venues/index.js';

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

const defaultTimeoutMs = 10_000;

/** What was sent for one `ask`. Nothing is sent where ccxt has loaded the result already. */
interface Sending {
  /** Set by the first request: whether the circuit admitted it as a trial. */
  admission?: Promise<boolean>;
  /** Requests that went out. */
  sent: number;
  /** Requests that were answered. */
  answered: number;
  /** The answer to the last request; null before it arrives. */
  answer: ExchangeAnswer | null;
  /** When (ms since 1970) it is too late to send a request. */
  sendBefore: number;
}

const nothingSent = (sendBefore = Infinity): Sending => ({ sent: 0, answered: 0, answer: null, sendBefore });

/** How a request that changes something at the exchange ended. */
export type Attempt<T> =
  | { value: T }
  | {
      error: AppError;
      /** Whether a request was sent; if none was, nothing has changed at the exchange. */
      isSent: boolean;
      /** What the answer to the last request means; `unknown` if there is none. */
      meaning: AnswerMeaning;
    };

/** The `Sending` of the `ask` that is running; shared by all exchanges. */
const sendingNow = new WorkContext<Sending>();

/**
 * One exchange through ccxt, within the request budget and the circuit breaker that all processes share. Only requests that
 * were sent are reported to the circuit breaker.
 */
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

  /** How far the exchange's clock was behind this machine's in its last answer, in ms; 0 before the first. */
  get lagMs(): number {
    return this.#lagMs;
  }

  /** The earlier of this machine's time and the exchange's, in ms. */
  clock(): number {
    return this.#now() - Math.max(0, this.#lagMs);
  }

  /** Loads the markets once. ccxt keeps a failed load, so `reload` is set until there are markets. */
  async loadMarkets(): Promise<void> {
    await this.exchange.loadMarkets(this.exchange.markets === undefined);
  }

  /** A client that signs its requests with the key. Its numbers are text, as the exchange wrote them. */
  async withKey(key: ExchangeKey): Promise<Exchange> {
    const { exchange } = await openCcxt({ ...ccxtOptions(this.#options, () => this, key), key });
    return exchange;
  }

  /** A client without a key that loads these kinds of markets, with numbers as text. */
  async withMarkets(marketTypes: readonly string[]): Promise<Exchange> {
    const options = { ...ccxtOptions(this.#options, () => this), marketTypes, numbersAsText: true };
    return (await openCcxt(options)).exchange;
  }

  /** A client without a key that connects by websocket. Its part of ccxt is loaded with the first one. */
  async withSockets(): Promise<Exchange> {
    const options = { ...ccxtOptions(this.#options, () => this), numbersAsText: true, hasSockets: true };
    return (await openCcxt(options)).exchange;
  }

  /**
   * Sends a public request through the circuit breaker. Throws `exchange_unavailable`, `exchange_refused`,
   * `redis_unavailable` and `cancelled`.
   */
  ask<T>(request: () => Promise<T>): Promise<T> {
    return this.#send(request, (error, sending) => explainFailure(error, this.#opened, sending));
  }

  /** Keeps the pauses of the circuit short for a minute, and sends a trial if one is due. */
  async probe(): Promise<void> {
    if (await this.#breaker.hurry()) await this.ask(() => this.exchange.fetchTime()).catch(ignoreKnown);
  }

  /**
   * Sends a request that is signed with the key, unless the exchange asked for a pause of this key. Throws as `ask` does; the
   * details are those of `explainSignedFailure`. A refusal neither opens nor closes the circuit. No error contains the key or
   * the signature.
   */
  async askAsOwner<T>(key: ExchangeKey, request: () => Promise<T>): Promise<T> {
    return this.#sendSigned(key, request, nothingSent());
  }

  /**
   * Sends a request as `askAsOwner` does, but not after `sendBefore` (ms since 1970), and returns how it ended instead of
   * throwing. If the exchange did not answer, it is unknown whether it has carried out the request.
   */
  async attempt<T>(key: ExchangeKey, request: () => Promise<T>, sendBefore?: number): Promise<Attempt<T>> {
    const sending = nothingSent(sendBefore);
    try {
      return { value: await this.#sendSigned(key, request, sending) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const meaning = sending.answer ? answerMeaning(this.id, sending.answer) : 'unknown';
      return { error, isSent: sending.sent > 0, meaning };
    }
  }

  async #sendSigned<T>(key: ExchangeKey, request: () => Promise<T>, sending: Sending): Promise<T> {
    await this.#pauseOf(key).check();
    return this.#send(
      request,
      (error, failed) => explainSignedFailure(error, this.id, { key, ...failed }),
      sending,
    );
  }

  async #send<T>(
    request: () => Promise<T>,
    explain: (error: unknown, sending: Sending) => ExplainedFailure,
    sending = nothingSent(),
  ): Promise<T> {
    try {
      const answer = await sendingNow.run(sending, request);
      if (sending.answered > 0) await this.#breaker.succeeded();
      return answer;
    } catch (error) {
      if (this.signal.aborted || error instanceof AppError) {
        await this.#withdraw(sending);
        throw this.signal.aborted ? new AppError('cancelled', 'the request was cancelled') : error;
      }
      throw await this.#report(explain(error, sending), sending);
    }
  }

  /** Reports to the circuit breaker what the failure shows about the exchange, and returns its error. */
  async #report({ error, verdict, reason }: ExplainedFailure, sending: Sending): Promise<AppError> {
    if (verdict === 'failed' && sending.sent > 0) await this.#breaker.failed(reason);
    else if (verdict === 'serves' && sending.answered > 0) await this.#breaker.succeeded();
    else await this.#withdraw(sending);
    return error;
  }

  /** If the request was a trial, lets another request be the trial. Without Redis the trial expires. */
  async #withdraw({ admission }: Sending): Promise<void> {
    if (await admission?.catch(() => false)) await this.#breaker.withdrawTrial().catch(() => undefined);
  }

  /** Waits for the budget. Throws as `CircuitBreaker.admit` does; the first request of an `ask` is admitted for all of them. */
  async beforeRequest(cost: number): Promise<void> {
    const sending = sendingNow.getStore() ?? nothingSent();
    await this.#breaker.check();
    await this.#budget.take(cost, this.signal);
    if (sending.admission) await this.#breaker.check();
    else sending.admission = this.#breaker.admit();
    await sending.admission;
    if (this.#now() > sending.sendBefore)
      throw new AppError('exchange_unavailable', 'the request was not sent in time');
  }

  onSent(): void {
    const sending = sendingNow.getStore();
    if (sending) Object.assign(sending, { sent: sending.sent + 1, answer: null });
  }

  /**
   * Notes the answer and the exchange's clock. When too much was requested, it pauses the key or opens the circuit,
   * depending on whether the exchange counts by key or by address, and throws `exchange_unavailable`.
   */
  async afterAnswer(answer: ExchangeAnswer, key?: ExchangeKey): Promise<void> {
    const { status, dateMs } = answer;
    const sending = sendingNow.getStore();
    if (sending) Object.assign(sending, { answered: sending.answered + 1, answer });
    if (status < 400 && dateMs !== null) this.#lagMs = this.#now() - dateMs;
    const limit = readRateLimit(this.id, answer, key !== undefined);
    if (!limit) return;
    const { scope, reason, pauseMs } = limit;
    if (key && scope === 'key') {
      await this.#pauseOf(key).start(pauseMs, reason);
      throw this.#pauseOf(key).error(pauseMs, reason);
    }
    await this.#breaker.failed(reason, pauseMs);
    const details = { retryAfterMs: pauseMs };
    throw new AppError('exchange_unavailable', `requests to ${this.id} are paused: ${reason}`, { details });
  }

  #pauseOf(key: ExchangeKey): KeyPause {
    return new KeyPause(this.#options.redis, this.id, key);
  }
}

function ignoreKnown(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

const ccxtOptions = (
  { id, url, signal, timeoutMs = defaultTimeoutMs }: GuardedExchangeOptions,
  guard: () => GuardedExchange,
  key?: ExchangeKey,
): CcxtOptions => ({
  id,
  url,
  timeoutMs,
  signal,
  hasContent: findVenue(id) !== null,
  beforeRequest: (cost) => guard().beforeRequest(cost),
  onSent: () => guard().onSent(),
  afterAnswer: (answer) => guard().afterAnswer(answer, key),
});
