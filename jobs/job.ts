import type { ObjectSchema } from 'joi';
import type { ResultHead } from '../compute/model/result-text.js';
import { AppError } from '../compute/model/errors.js';
import type { SentKeys } from '../storage/accounts/sent-keys.js';
import type { QueueName } from '../storage/cluster/queues.js';
import type { OpenExchanges } from '../storage/exchanges/open-exchanges.js';
import type { Storage } from '../storage/index.js';
import type { Log } from '../storage/process/log.js';
import type { CandleCache } from './node/candle-cache.js';
import type { ThreadPool } from './node/pool.js';
import type { EncodedResult } from './requests/encoded-result.js';
import type { Timings } from './requests/wire.js';

export type { QueueName } from '../storage/cluster/queues.js';
export type { Timings } from './requests/wire.js';

/** What a compute node gives to a job. */
export interface JobTools {
  storage: Storage;
  candles: CandleCache;
  /** The threads for jobs of this queue. */
  pool: ThreadPool;
  log: Log;
}

/** What a market worker gives to a job. */
export interface ExchangeTools {
  exchanges: OpenExchanges;
  sentKeys: SentKeys;
}

/** The run of a job: how it is stopped, and what it reports. */
export interface JobRun {
  /** Aborted with an AppError as its reason when the time limit is over or no request waits for the result. */
  signal: AbortSignal;
  /** Where the time goes, in ms. The job adds its own stages. */
  timings: Timings;
  /** Reports the phase and the fraction that is done to the requests that want progress. */
  progress: (phase: string, fraction: number) => void;
}

/**
 * A job: the I/O half of a computation. It runs on the main thread of a compute node or market worker; what it computes is a
 * task in the thread pool. A job must be idempotent, because it runs again after a crash.
 */
export interface Job<Name extends string, Payload, Result, Tools = JobTools> {
  name: Name;
  queue: QueueName;
  /** The time limit, queue wait included. */
  timeoutMs: number;
  /** Names and settings, never candles. Equal payloads are one computation, so a payload names all that the result depends on. */
  payload: ObjectSchema<Payload>;
  /** The share of a batch that one request takes, 0 to 1; 1 is sent alone. Default: that of the queue. */
  share?: number;
  /**
   * How long the result answers later equal requests, in ms; gateways then keep no copy. Default: an hour in Redis, and in
   * the memory of a gateway until newer results replace it.
   */
  keepMs?(payload: Payload): number;
  /** The result, or its JSON where a thread has encoded it. */
  run(payload: Payload, tools: Tools, run: JobRun): Promise<Result | EncodedResult<Result>>;
}

export const defineJob = <const Name extends string, Payload, Result, Tools = JobTools>(
  job: Job<Name, Payload, Result, Tools>,
): Job<Name, Payload, Result, Tools> => job;

/** The result of a run, and where its time went. */
export interface Answer<Result = unknown> {
  /** Parsed when it is read. */
  readonly result: Result;
  /** What the result has besides lists of objects; a thread has put it where it is read without the rest. */
  readonly head: ResultHead<Result>;
  /** Whether a thread has rounded the figures of the text for clients. */
  readonly isRounded: boolean;
  /** Names a result that was known already: equal ids mean equal results. */
  readonly id?: string | undefined;
  /** The result as JSON. */
  readonly text: string;
  readonly timings: Timings;
}

/** The error of a job that did not end within its time limit. */
export const overLimit = (name: string, limitMs: number): AppError =>
  new AppError('time_limit', `"${name}" took longer than its limit of ${limitMs / 1000} s`);
