import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from 'ccxt';
import type { Redis } from 'ioredis';
import PQueue from 'p-queue';
import { AppError } from '../../compute/model/errors.js';
import { WorkContext } from '../process/work-context.js';
import { answerMeaning } from './answer-meaning.js';
import { CircuitBreaker, type Admission, type CircuitLimits } from './circuit-breaker.js';
import { explainFailure, explainSignedFailure, type ExplainedFailure } from './explain-failure.js';
import type { ExchangeAnswer } from './fetch-whole.js';
import {
  openCcxt,
  replacedOrigin,
  type CcxtOptions,
  type ExchangeKey,
  type OpenedCcxt,
} from './open-ccxt.js';
import { readRateLimit } from './rate-limit.js';
import { RequestBudget } from './request-budget.js';
import { urgencyShares, type CcxtRequest, type RequestLimit, type Urgency } from './request-limit.js';
import type { AnswerMeaning } from './venue-answers.js';
import type { VenuePart } from './venue.js';
import { findVenue } from './venues/index.js';

export interface GuardedExchangeOptions {
  redis: Redis;
  /** The ccxt id of the exchange. */
  id: string;
  /** Replaces the exchange's own address, if not empty. */
  url: string;
  /** Cost of requests per minute over all processes, in ccxt's units, as a share of ccxt's own; 0: all of it. */
  budgetPerMinute: number;
  /** Ends every request and every wait. */
  signal: AbortSignal;
  circuit?: Partial<CircuitLimits>;
  timeoutMs?: number;
  now?: () => number;
}

const defaultTimeoutMs = 10_000;
/** How long (ms) an answer to what is urgent is waited for: what an order has bought is not to wait for its stop while a request hangs. */
const urgentAnswerMs = 2_000;
const urgentKinds: ReadonlySet<Urgency> = new Set(['protect', 'enter', 'lookUp']);
const longestWaitMs = 60_000;
const mostUnderWay = 25;
/** How many of them may be of polling and comparing, so that entries find room. */
const mostPolling = 15;
const pollingKinds: ReadonlySet<Urgency> = new Set(['compare', 'poll']);

/** What was sent for one `ask`. Nothing is sent where ccxt has loaded the result already. */
interface Sending {
  /** Set by the first request to each part of the exchange: how its circuit admitted it. */
  admissions: Map<CircuitBreaker, Promise<Admission>>;
  /** The circuit of the request that failed last. */
  failed?: CircuitBreaker;
  /** Requests that went out. */
  sent: number;
  /** Requests that were answered. */
  answered: number;
  /** The answer to the last request; null before it arrives. */
  answer: ExchangeAnswer | null;
  urgency: Urgency;
  /** When (ms since 1970) it is too late to send a request. */
  sendBefore: number;
  /** Done once when the first request is admitted, before it is signed and sent. What it throws is thrown in place of an answer. */
  first?: (() => Promise<void>) | undefined;
  /** Called when a request goes out. */
  onSent?: () => void;
}

const nothingSent = (urgency: Urgency, sendBefore = Infinity): Sending => {
  return { admissions: new Map(), sent: 0, answered: 0, answer: null, urgency, sendBefore };
};

/** `sendBefore` and `first`: see `Sending`. */
export interface AttemptTerms {
  sendBefore?: number | undefined;
  first?: (() => Promise<void>) | undefined;
}

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

/** The `ask` that is running, and its request that was admitted; shared by all exchanges. */
const runningNow = new WorkContext<{ sending: Sending; request?: CcxtRequest }>();

/**
 * One exchange through ccxt, within the request budget and the circuit breakers that all processes share, one for each of its parts. Only requests that
 * were sent are reported to the circuit breaker.
 */
export class GuardedExchange {
  readonly id: string;
  /** The client without a key, for public data. */
  readonly exchange: Exchange;
  readonly #options: GuardedExchangeOptions;
  readonly #opened: OpenedCcxt;
  /** The circuits of the parts of the exchange, by name; the main one has none. */
  readonly #breakers: ReadonlyMap<string, CircuitBreaker>;
  readonly #parts: readonly VenuePart[];
  readonly #budget: RequestBudget;
  readonly #now: () => number;
  /** Requests of this process that were sent, but for the most urgent: those of many accounts would keep the thread busy. */
  readonly #underWay = new PQueue({ concurrency: mostUnderWay });
  readonly #polling = new PQueue({ concurrency: mostPolling });
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
    // Each request that waits listens to it.
    setMaxListeners(0, options.signal);
    this.exchange = opened.exchange;
    this.#options = options;
    this.#opened = opened;
    this.#now = now;
    this.#parts = findVenue(id)?.parts ?? [];
    const names = ['', ...this.#parts.map(({ name }) => name)];
    this.#breakers = new Map(
      names.map((name) => [name, new CircuitBreaker(redis, `${id}${name && `-${name}`}`, circuit)]),
    );
    this.#budget = new RequestBudget(redis, id, limitsOf(options, opened.exchange), this.#partOf);
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
  ask<T>(request: () => Promise<T>, urgency: Urgency = 'poll'): Promise<T> {
    return this.#send(
      request,
      (error, sending) => explainFailure(error, this.#opened, sending),
      nothingSent(urgency),
    );
  }

  /** Keeps the pauses of the circuits short for a minute, and sends a trial to each part where one is due. */
  async probe(): Promise<void> {
    const requests = [
      () => this.exchange.fetchTime(),
      ...this.#parts.map((part) => () => part.probe(this.exchange)),
    ];
    const probes = [...this.#breakers.values()].map(async (breaker, n) => {
      if (await breaker.hurry()) await this.ask<unknown>(requests[n], 'protect').catch(ignoreKnown);
    });
    await Promise.all(probes);
  }

  /** The part of the exchange that a request asks; empty for the main one. */
  #partOf = ({ name }: Pick<CcxtRequest, 'name'>): string =>
    this.#parts.find(({ requests }) => requests.test(name))?.name ?? '';

  #breakerOf(request: Pick<CcxtRequest, 'name'>): CircuitBreaker {
    return this.#breakers.get(this.#partOf(request))!;
  }

  /**
   * Sends a request that is signed with the key, unless the exchange asked for a pause of this key. Throws as `ask` does; the
   * details are those of `explainSignedFailure`. A refusal neither opens nor closes the circuit. No error contains the key or
   * the signature.
   */
  askAsOwner<T>(key: ExchangeKey, request: () => Promise<T>, urgency: Urgency = 'poll'): Promise<T> {
    return this.#sendSigned(key, request, nothingSent(urgency));
  }

  /**
   * Sends a request as `askAsOwner` does, but not after `sendBefore` (ms since 1970), and returns how it ended instead of
   * throwing. If the exchange did not answer, it is unknown whether it has carried out the request. The answer to what is urgent is
   * not waited for as long as the request lasts, but it still counts for the circuit.
   */
  async attempt<T>(
    key: ExchangeKey,
    request: () => Promise<T>,
    urgency: Urgency,
    { sendBefore, first }: AttemptTerms = {},
  ): Promise<Attempt<T>> {
    const sending: Sending = { ...nothingSent(urgency, sendBefore), first };
    try {
      const late = urgentKinds.has(urgency) ? [lateAnswer(sending)] : [];
      return { value: await Promise.race([this.#sendSigned(key, request, sending), ...late]) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const meaning = sending.answer ? answerMeaning(this.id, sending.answer) : 'unknown';
      return { error, isSent: sending.sent > 0, meaning };
    }
  }

  #sendSigned<T>(key: ExchangeKey, request: () => Promise<T>, sending: Sending): Promise<T> {
    return this.#send(
      request,
      (error, failed) => explainSignedFailure(error, this.#opened, { key, ...failed }),
      sending,
    );
  }

  async #send<T>(
    request: () => Promise<T>,
    explain: (error: unknown, sending: Sending) => ExplainedFailure,
    sending: Sending,
  ): Promise<T> {
    try {
      const answer = await runningNow.run({ sending }, request);
      if (sending.answered > 0)
        for (const [breaker, admission] of sending.admissions)
          if ((await admission) !== 'clean') await breaker.succeeded();
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
    const { admissions, sent, answered, failed = [...admissions.keys()].at(-1) } = sending;
    const isTold = verdict === 'failed' ? sent > 0 : verdict === 'serves' && answered > 0;
    if (failed && isTold) {
      if (verdict === 'failed') await failed.failed(reason);
      else await failed.succeeded();
      admissions.delete(failed);
    }
    await this.#withdraw(sending);
    return error;
  }

  /** If a request was a trial, lets another request be the trial. Without Redis the trial expires. */
  async #withdraw({ admissions }: Sending): Promise<void> {
    for (const [breaker, admission] of admissions)
      if ((await admission.catch(() => 'clean')) === 'trial')
        await breaker.withdrawTrial().catch(() => undefined);
  }

  /** Waits for the budget and sends. Throws as `CircuitBreaker.admit` does; the first request of an `ask` is admitted for all of them. */
  async admit<T>(request: CcxtRequest, send: () => Promise<T>, key?: ExchangeKey): Promise<T> {
    const { sending } = runningNow.getStore() ?? { sending: nothingSent('poll') };
    const breaker = this.#breakerOf(request);
    await this.#waitForRoom(request, sending, key);
    const sendNow = async (): Promise<T> => {
      if (sending.admissions.has(breaker)) await breaker.check();
      else sending.admissions.set(breaker, breaker.admit());
      await sending.admissions.get(breaker);
      const { first } = sending;
      sending.first = undefined;
      this.#refuseLate(sending);
      // What it has made room for is sent however long it took: the position has no protection meanwhile.
      await first?.();
      return runningNow.run({ sending, request }, send).catch((error: unknown) => {
        sending.failed = breaker;
        throw error;
      });
    };
    if (sending.urgency === 'protect') return sendNow();
    const sendInTurn = () => this.#underWay.add(sendNow, { priority: urgencyShares[sending.urgency] });
    return pollingKinds.has(sending.urgency) ? this.#polling.add(sendInTurn) : sendInTurn();
  }

  #refuseLate({ sendBefore }: Sending): void {
    if (this.#now() > sendBefore)
      throw new AppError('exchange_unavailable', 'the request was not sent in time');
  }

  async #waitForRoom(
    request: CcxtRequest,
    { urgency, sendBefore }: Sending,
    key?: ExchangeKey,
  ): Promise<void> {
    const until = performance.now() + Math.min(longestWaitMs, sendBefore - this.#now());
    for (;;) {
      // Where nothing is traded, polling has nothing to leave for others.
      const waitMs = await this.#budget.take(request, findVenue(this.id) ? urgency : 'protect', key);
      if (waitMs === 0) return;
      if (performance.now() + waitMs > until) {
        const message = `the request budget of ${this.id} is used up`;
        throw new AppError('exchange_unavailable', message, { details: { retryAfterMs: waitMs } });
      }
      await pause(waitMs, undefined, { signal: this.signal }).catch(() => {
        throw new AppError('cancelled', 'the request was cancelled before it was sent');
      });
      await this.#breakerOf(request).check();
    }
  }

  /** Does work on a websocket that counts in the request budget under a name. Throws as `ask` does. */
  async onSocket<T>(name: string, urgency: Urgency, work: () => Promise<T>): Promise<T> {
    await this.#waitForRoom({ name, cost: 0, params: {} }, nothingSent(urgency));
    await this.#breakerOf({ name }).check();
    return work();
  }

  /** Where an address of the exchange is found. */
  addressOf(address: string): string {
    return this.#options.url === '' ? address : replacedOrigin(address, this.#options.url);
  }

  onSent(): void {
    const sending = runningNow.getStore()?.sending;
    if (!sending) return;
    Object.assign(sending, { sent: sending.sent + 1, answer: null });
    sending.onSent?.();
  }

  /**
   * Notes the answer, the exchange's clock and what it tells of its limits. When too much was requested, it pauses the key, or its orders that
   * protect nothing, or opens the circuit, depending on what the exchange counts, and throws `exchange_unavailable`.
   */
  async afterAnswer(answer: ExchangeAnswer, key?: ExchangeKey): Promise<void> {
    const { status, dateMs } = answer;
    const { sending, request } = runningNow.getStore() ?? {};
    if (sending) Object.assign(sending, { answered: sending.answered + 1, answer });
    if (request) await this.#budget.tell(request, answer.headers, key);
    if (status < 400 && dateMs !== null) this.#lagMs = this.#now() - dateMs;
    const limit = readRateLimit(this.id, answer, key !== undefined);
    if (!limit) return;
    const { scope, reason, pauseMs } = limit;
    const details = { retryAfterMs: pauseMs };
    if (key && request && scope === 'key') throw await this.#budget.pause(request, key, pauseMs, reason);
    if (key && request && scope === 'orders') {
      await this.#budget.useUp(request, key);
      const isUrgent = sending?.urgency === 'protect';
      throw new AppError('exchange_unavailable', reason, { details: isUrgent ? {} : details });
    }
    // A ban is one of the address.
    const breakers = status === 418 || !request ? this.#breakers.values() : [this.#breakerOf(request)];
    for (const breaker of breakers) await breaker.failed(reason, pauseMs);
    throw new AppError('exchange_unavailable', `requests to ${this.id} are paused: ${reason}`, { details });
  }
}

/** Fails once a request that went out was not answered in time. */
const lateAnswer = (sending: Sending): Promise<never> =>
  new Promise((_, reject) => {
    sending.onSent = () => {
      const { sent } = sending;
      const late = new AppError('exchange_unavailable', `no answer within ${urgentAnswerMs / 1_000} s`);
      const end = () => {
        if (sending.answered >= sent) return;
        // Nothing more is sent for it, such as the cancel of an order that was looked up first.
        sending.sendBefore = 0;
        reject(late);
      };
      // Answers that have come while this thread was busy are read first.
      setTimeout(() => setImmediate(end), urgentAnswerMs).unref();
    };
  });

/** The limits of a venue, or the one that ccxt knows of another exchange. */
function limitsOf({ id, budgetPerMinute }: GuardedExchangeOptions, exchange: Exchange): RequestLimit[] {
  const perMinute = 60_000 / Number(exchange.rateLimit);
  const share = budgetPerMinute === 0 ? 1 : budgetPerMinute / perMinute;
  const limits = findVenue(id)?.limits ?? [
    { name: 'requests', scope: 'address', counts: /./, unitsPerCost: 1, most: perMinute, windowMs: 60_000 },
  ];
  return limits.map((limit) => ({ ...limit, most: limit.most * share }));
}

function ignoreKnown(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

function contentFieldOf(id: string): string | undefined {
  const answers = findVenue(id)?.answers;
  return answers?.isInEach ? answers.codeField : undefined;
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
  contentField: contentFieldOf(id),
  // A balance or position that is missing in a broken answer would count as sold.
  ...(key && { parsedBytes: 1_048_576 }),
  admit: (request, send) => guard().admit(request, send, key),
  onSent: () => guard().onSent(),
  afterAnswer: (answer) => guard().afterAnswer(answer, key),
});
