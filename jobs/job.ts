import type { ObjectSchema } from 'joi';
import { AppError } from '../compute/model/errors.js';
import type { OpenExchanges } from '../storage/exchanges/open-exchanges.js';
import type { SentKeys } from '../storage/accounts/sent-keys.js';
import type { Log } from '../storage/process/log.js';
import type { Storage } from '../storage/index.js';
import type { ComputeQueue, QueueName } from '../storage/cluster/queue-names.js';
import type { CandleCache } from './node/candle-cache.js';
import type { JsonText } from './requests/json-text.js';
import type { ThreadPool } from './node/pool.js';
import type { Timings } from './requests/wire.js';

export { computeQueues, queueNames, type QueueName } from '../storage/cluster/queue-names.js';
export type { Timings } from './requests/wire.js';

/** Which part of a micro-batch a job of a queue takes up, unless it says so itself: 1 travels alone. */
export const queueShares: Readonly<Record<QueueName, number>> = {
  analysis: 1 / 16,
  backtest: 1,
  scan: 1 / 4,
  signals: 1 / 16,
  market: 1,
  exchanges: 1,
};

/** What a compute node hands to a job. */
export interface JobTools {
  storage: Storage;
  candles: CandleCache;
  /** The threads for jobs of this queue. */
  pool: ThreadPool;
  log: Log;
}

/** What a market worker hands to a job. */
export interface ExchangeTools {
  exchanges: OpenExchanges;
  sentKeys: SentKeys;
}

/** The threads of a node: work that may take long never holds up what somebody waits for. */
export interface ThreadPools {
  interactive: ThreadPool;
  background: ThreadPool;
}

/** Whose jobs run in which threads. */
export const poolOf: Readonly<Record<ComputeQueue, keyof ThreadPools>> = {
  analysis: 'interactive',
  backtest: 'background',
  scan: 'interactive',
  signals: 'interactive',
  market: 'background',
};

/** What a process has for the jobs that it takes. */
export interface NodeTools<Tools> {
  log: Log;
  /** What a job of a queue is handed. */
  toolsFor: (queue: QueueName) => Tools;
  /** How many batches of a queue it takes at once. */
  atOnce: (queue: QueueName) => number;
}

/** What a compute node has: each queue has its threads. */
export function computeTools({
  pools,
  ...rest
}: Omit<JobTools, 'pool'> & { pools: ThreadPools }): NodeTools<JobTools> {
  const poolFor = (queue: QueueName) => pools[poolOf[queue as ComputeQueue]];
  return {
    log: rest.log,
    toolsFor: (queue) => ({ ...rest, pool: poolFor(queue) }),
    // A job of many small items keeps few threads busy at its end: the next one is under way by then.
    atOnce: (queue) => poolFor(queue).threads * (queueShares[queue] === 1 ? 1 : 2),
  };
}

/** What a run is told, and what it tells. */
export interface JobRun {
  /** Aborted, with an AppError as its reason, when the time is over or nobody waits any more. */
  signal: AbortSignal;
  /** Where the time goes: the job adds its stages. */
  timings: Timings;
  /** Tells whoever listens how far the job has come. */
  progress: (phase: string, fraction: number) => void;
}

/**
 * A job: the part of it that talks to the outside, on the main thread of whoever takes it. What it computes is a task
 * that runs in the pool of a compute node. It may be run twice (after a crash): so it is idempotent.
 */
export interface Job<Name extends string, Payload, Result, Tools = JobTools> {
  name: Name;
  queue: QueueName;
  /** The longest it may take, waiting included. */
  timeoutMs: number;
  /** Names and settings, never candles. Equal payloads are one computation: a payload names all its answer depends on. */
  payload: ObjectSchema<Payload>;
  /** Its share of a micro-batch, 0 to 1: 1 travels alone. Default: the queue's. */
  share?: number;
  /**
   * How long its result serves those who ask the same later, in ms; a gateway then keeps none of its own. Default: an hour
   * in Redis, and in a gateway for as long as it has room.
   */
  keepMs?(payload: Payload): number;
  /** A result that a thread has encoded is passed on as it is. */
  run(payload: Payload, tools: Tools, run: JobRun): Promise<Result | JsonText<Result>>;
}

export const defineJob = <const Name extends string, Payload, Result, Tools = JobTools>(
  job: Job<Name, Payload, Result, Tools>,
): Job<Name, Payload, Result, Tools> => job;

/** What comes back from a run. */
export interface Answer<Result = unknown> {
  result: Result;
  timings: Timings;
}

/** The error of a job that was not done in time, in the same words wherever it is noticed. */
export const overLimit = (name: string, limitMs: number): AppError =>
  new AppError('time_limit', `"${name}" took longer than its limit of ${limitMs / 1000} s`);
