import type { Candles } from './model/candles.js';
import type { ErrorData } from './model/errors.js';
import type { Interval } from './model/interval.js';
import type { ScratchBuffers } from './model/scratch-buffers.js';
import type { Tell } from './model/progress.js';

/** A question about one pair: all its stored closed candles, and what is asked of them. */
export interface SeriesQuestion<Params = object> {
  candles: Candles;
  interval: Interval;
  params: Params;
}

/** One pair among others. */
export interface PairCandles {
  asset: string;
  tradeMarket: string;
  candles: Candles;
}

/** A question about several pairs on one interval, or about all of a market. Their candles may start and end at different times. */
export interface MarketQuestion<Params = object> {
  pairs: readonly PairCandles[];
  interval: Interval;
  params: Params;
}

/** A question that its parameters answer alone. */
export interface ParamsQuestion<Params = object> {
  params: Params;
}

/** Something a thread can be asked: a pure function from plain data to plain data. */
export interface Task<Name extends string, Input, Output> {
  name: Name;
  /** What it does one after the other, for a task that may take long: it tells how far it has come. */
  phases?: readonly string[];
  /** What it returns holds no column of `scratch`, which the next task takes over. */
  run(input: Input, scratch?: ScratchBuffers, tell?: Tell): Output;
}

export const defineTask = <const Name extends string, Input, Output>(
  task: Task<Name, Input, Output>,
): Task<Name, Input, Output> => task;

/** What a thread is asked. */
export interface TaskRequest {
  name: string;
  input: unknown;
  /** Whether the answer is wanted as JSON text: it is on its way to somebody far, and the thread has the time. */
  asText?: boolean;
  /** Where the task writes how far it has come. */
  progress?: SharedArrayBuffer;
}

/** What it answers. An error travels as data: a thrown one would lose its code on the way.
 * The stack goes along for the log when the error was not foreseen. */
export type TaskResponse =
  { ok: true; output: unknown; computeMs: number } | { ok: false; error: ErrorData; stack?: string };
