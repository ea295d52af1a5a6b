import type { ObjectSchema } from 'joi';
import { AppError } from '../compute/model/errors.js';
import type { Log } from '../storage/log.js';
import type { Storage } from '../storage/index.js';
import type { CandleCache } from './candle-cache.js';
import type { ThreadPool } from './pool.js';

/** The queues there are, one per class of work, so that a burst of one never starves another. */
export const queueNames = ['analysis', 'backtest'] as const;

export type QueueName = (typeof queueNames)[number];

/** What a compute node hands to a job. */
export interface JobTools {
  storage: Storage;
  candles: CandleCache;
  pool: ThreadPool;
  log: Log;
}

/** Where the time of one run went, in ms; `run` is all of it on the compute node, `queue` the way there and back. */
export type Timings = Record<string, number>;

/**
 * A job: the part of it that talks to storage, on the main thread of a compute node. What it computes is a task
 * that runs in the pool. It may be run twice (after a crash): so it is idempotent.
 */
export interface Job<Name extends string, Payload, Result> {
  name: Name;
  queue: QueueName;
  /** The longest it may take, waiting included. */
  timeoutMs: number;
  /** Names and settings, never candles. */
  payload: ObjectSchema<Payload>;
  run(payload: Payload, tools: JobTools, signal: AbortSignal, timings: Timings): Promise<Result>;
}

export const defineJob = <const Name extends string, Payload, Result>(
  job: Job<Name, Payload, Result>,
): Job<Name, Payload, Result> => job;

/** What lies in the queue: the payload, its limit and when that is over (ms since the epoch), and who asked. */
export interface Envelope<Payload = unknown> {
  payload: Payload;
  limitMs: number;
  deadline: number;
  traceId: string;
}

/** What comes back from a run. */
export interface Answer<Result = unknown> {
  result: Result;
  timings: Timings;
}

/** The error of a job that was not done in time, in the same words wherever it is noticed. */
export const overLimit = (name: string, limitMs: number): AppError =>
  new AppError('time_limit', `"${name}" took longer than its limit of ${limitMs / 1000} s`);
