import type { Field, Fields, Values } from './model/field.js';
import type { Interval } from './model/interval.js';
import type { OnProgress } from './model/progress.js';
import type { ScratchBuffers } from './model/scratch-buffers.js';
import type { IntervalsQuestion, MarketQuestion, ParamsQuestion, SeriesQuestion, Task } from './task.js';

/** What an analysis is computed from, besides its parameters. */
export interface Inputs<Params> {
  /** The candles of one pair on one interval. */
  series: SeriesQuestion<Params>;
  /** The candles of one pair on every interval. */
  intervals: IntervalsQuestion;
  /** The candles of several chosen assets on one interval. */
  assets: MarketQuestion<Params>;
  /** The candles of every asset of a market on one interval. */
  market: MarketQuestion<Params>;
  /** No candles. */
  nothing: ParamsQuestion<Params>;
}

export type Need = keyof Inputs<object>;

/** Who may ask: anybody, or a signed-in user. */
export type AnalysisScope = 'public' | 'user';

/**
 * An analysis: one question about a market and the pure function that answers it. The task of a thread, the job, the
 * operation, its route, OpenAPI and the docs page all follow from this description.
 */
export interface Analysis<Name extends string, N extends Need, P extends Fields, Output> {
  /** Its path: `POST /backend/analysis/<name>`. */
  name: Name;
  title: string;
  /** What it answers, in one or two sentences. */
  summary: string;
  needs: N;
  /** The interval, where the caller cannot choose it. */
  interval?: Interval;
  params: P;
  /** The assets that the parameters name, for an analysis of chosen assets: their candles come in this order. */
  assets?(params: Values<P>): readonly string[];
  output: Field<Output>;
  scope: AnalysisScope;
  /** Points that a request takes off the caller's rate limit. */
  cost: number;
  /** Long work waits in the queue of backtests and runs in threads that give way to others. Default: 'analysis'. */
  queue?: 'analysis' | 'scan' | 'backtest';
  /** The longest it may take, queue included; default: 10 s. */
  timeoutMs?: number;
  /** The steps that a long analysis reports its progress in. */
  phases?: readonly string[];
  /** Throws `invalid_input`, `not_enough_history`. The output holds no column of `scratch`. */
  run(input: Inputs<Values<P>>[N], scratch?: ScratchBuffers, onProgress?: OnProgress): Output;
}

/** Checks the description, and hands it back as the task of the same name too. */
export const defineAnalysis = <
  const Name extends string,
  const N extends Need,
  const P extends Fields,
  Output extends object,
>(
  analysis: Analysis<Name, N, P, Output>,
): Analysis<Name, N, P, Output> & Task<Name, Inputs<Values<P>>[N], Output> => analysis;

/** The parameters of an analysis, as its `run` takes them. */
export type ParamsOf<A> = A extends { params: infer P extends Fields } ? Values<P> : never;
