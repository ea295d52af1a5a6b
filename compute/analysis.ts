import type { Field, Fields, Values } from './model/field.js';
import type { Interval } from './model/interval.js';
import type { OnProgress } from './model/progress.js';
import type { ScratchBuffers } from './model/scratch-buffers.js';
import type { IntervalsQuestion, MarketQuestion, ParamsQuestion, SeriesQuestion, Task } from './task.js';

/** The input of an analysis by its need: candles and parameters. */
export interface Inputs<Params> {
  /** The candles of one pair on one interval. */
  series: SeriesQuestion<Params>;
  /** The candles of one pair on every interval. */
  intervals: IntervalsQuestion;
  /** The candles of several chosen assets on one interval. */
  assets: MarketQuestion<Params>;
  /** The candles of every asset of a market on one interval. */
  market: MarketQuestion<Params>;
  nothing: ParamsQuestion<Params>;
}

export type Need = keyof Inputs<object>;

/** Who may call: everyone, or signed-in users only. */
export type AnalysisScope = 'public' | 'user';

/** What an answer says of its candles, beside the output of the analysis. */
export interface AnsweredCandles {
  asset?: string;
  tradeMarket?: string;
  interval?: Interval;
}

/** The tool for AI clients that answers with an analysis. Its words and arguments stand in the catalogue of tools. */
export interface AnalysisTool<Output> {
  /** Its name in the catalogue. */
  name: string;
  /** The answer in one or two sentences. It does not read times: they are ISO 8601 text by then. */
  headline(answer: Output & AnsweredCandles, args?: Readonly<Record<string, unknown>>): string;
}

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
  /** The assets whose candles `run` gets, in this order. Only for an analysis that needs `assets`. */
  assets?(params: Values<P>): readonly string[];
  /**
   * Whether `step`, `tick`, `minNotional` and `feePercent` that are null are taken from the order rules of the pair where
   * `exchange` and `asset` are given. Only for an analysis with these parameters.
   */
  usesPairTerms?: true;
  /** Whether these assets may include the quote currency, which has no candles. */
  allowsQuote?: boolean;
  /** Assets that are read too, where their candles are stored: those that others are compared with. */
  besides?: readonly string[];
  output: Field<Output>;
  scope: AnalysisScope;
  /** Absent where no tool answers with this analysis alone. */
  tool?: AnalysisTool<Output>;
  /** Points of the caller's rate limit that a request costs. */
  cost: number;
  /** Default: 'analysis'. Jobs in 'backtest' run in threads of lower priority. */
  queue?: 'analysis' | 'scan' | 'backtest';
  /** Time limit, waiting in the queue included; default: 10 s. */
  timeoutMs?: number;
  /** The names of the steps, in order, that a long analysis reports progress in. */
  phases?: readonly string[];
  /** Throws `invalid_input`, `not_enough_history`. The output holds no column of `scratch`. */
  run(input: Inputs<Values<P>>[N], scratch?: ScratchBuffers, onProgress?: OnProgress): Output;
}

/** Checks the types of the description and returns it. It is also the task of the same name. */
export const defineAnalysis = <
  const Name extends string,
  const N extends Need,
  const P extends Fields,
  Output extends object,
>(
  analysis: Analysis<Name, N, P, Output>,
): Analysis<Name, N, P, Output> & Task<Name, Inputs<Values<P>>[N], Output> => analysis;
