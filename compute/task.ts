import type { Candles } from './model/candles.js';
import type { ErrorData } from './model/errors.js';
import type { Interval, ResearchInterval } from './model/interval.js';
import type { ScratchBuffers } from './model/scratch-buffers.js';
import type { OnProgress } from './model/progress.js';

/** The input of a task on one pair: all its stored closed candles, and the parameters. */
export interface SeriesQuestion<Params = object, I extends ResearchInterval = Interval> {
  candles: Candles;
  interval: I;
  params: Params;
}

export interface PairCandles {
  asset: string;
  tradeMarket: string;
  candles: Candles;
}

/** The input of a task on several pairs on one interval, or on all pairs of a market. Their candles may start and end at different times. */
export interface MarketQuestion<Params = object> {
  pairs: readonly PairCandles[];
  interval: Interval;
  params: Params;
}

/** The input of a task on one pair on every interval, in the order of `intervals`. A series without stored candles is empty. */
export interface IntervalsQuestion {
  series: readonly { interval: Interval; candles: Candles }[];
}

/** The input of a task that needs no candles. */
export interface ParamsQuestion<Params = object> {
  params: Params;
}

/** Work for a thread: a pure function from plain data to plain data. */
export interface Task<Name extends string, Input, Output> {
  name: Name;
  /** The phases of a long task in order. A task that has phases reports its progress. */
  phases?: readonly string[];
  /** Its output is what clients get: where a thread encodes it, it also rounds its figures. */
  isAnswer?: true;
  /** The output must not contain a column of `scratch`: the next task overwrites it. */
  run(input: Input, scratch?: ScratchBuffers, onProgress?: OnProgress): Output;
}

export const defineTask = <const Name extends string, Input, Output>(
  task: Task<Name, Input, Output>,
): Task<Name, Input, Output> => task;

/** A task for a thread, as it crosses to the thread. */
export interface TaskRequest {
  name: string;
  input: unknown;
  /** Whether the thread encodes the output as JSON, so that the main thread need not. */
  asText?: boolean;
  progress?: SharedArrayBuffer;
}

/**
 * The response of a thread. An error crosses as data, because a thrown error loses its code. An unexpected error also
 * has its stack, for the log.
 */
export type TaskResponse =
  | { ok: true; output: unknown; computeMs: number }
  | { ok: false; error: ErrorData; stack?: string };

/** One message to a thread: requests to run one after the other. */
export interface TaskBatch {
  requests: TaskRequest[];
  /** One of `requestStates` for each request, written by both sides; absent when none of them can be dropped. */
  states?: Int32Array;
}

/** A request waits until its thread begins it. A request that is dropped before that is skipped. */
export const requestStates = { waiting: 0, begun: 1, dropped: 2 } as const;

/** The responses in the order of the requests; null for a request that was dropped. */
export function runTaskBatch(
  { requests, states }: TaskBatch,
  run: (request: TaskRequest) => TaskResponse,
): (TaskResponse | null)[] {
  const { waiting, begun } = requestStates;
  return requests.map((request, n) =>
    states && Atomics.compareExchange(states, n, waiting, begun) !== waiting ? null : run(request),
  );
}
