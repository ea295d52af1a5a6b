import type { Candles } from './candles.js';
import type { ScratchBuffers } from './scratch-buffers.js';

/** The columns that an indicator may read; `time` is for indicators that depend on the calendar, such as a session. */
export type PriceColumn = 'time' | 'open' | 'high' | 'low' | 'close' | 'volume';

/** The range of one parameter, both ends allowed; whole numbers unless a `step` says otherwise. */
export interface ParamSpec {
  min: number;
  max: number;
  default: number;
  title: string;
  step?: number;
}

export const indicatorKinds = ['trend', 'oscillator', 'volatility', 'volume'] as const;

/** An indicator: what it is, what it reads and writes, and the one loop that computes it. */
export interface Indicator<I extends PriceColumn, O extends string, P extends string> {
  name: string;
  title: string;
  kind: (typeof indicatorKinds)[number];
  /** The formula in words. */
  formula: string;
  /** How traders interpret the value. */
  reading: string;
  /** Where the formula comes from. */
  reference: string;
  inputs: readonly I[];
  outputs: readonly O[];
  params: Readonly<Record<P, ParamSpec>>;
  /** Whether the output is NaN after the warm-up, too, where the candles it covers have no volume. */
  needsVolume?: true;
  /** The index of the first candle that has a value of the given output. */
  warmup(params: Readonly<Record<P, number>>, output: O): number;
  /**
   * Writes every output from its warm-up on. Allocates nothing, leaves what lies before the warm-up and
   * the input as they are, and writes nothing when there are too few candles.
   */
  fill(
    input: Readonly<Record<I, Float64Array>>,
    params: Readonly<Record<P, number>>,
    out: Readonly<Record<O, Float64Array>>,
  ): void;
  /** The same values candle by candle, equal bit for bit, at a constant cost per candle; for live prices. */
  stream?: (params: Readonly<Record<P, number>>) => IndicatorStream<I, O>;
}

/**
 * An indicator that is computed candle by candle. `peek` runs a step on a copy of the memory. The copy is written into
 * a fresh memory object, so that V8 sees one object shape; with the shape of a spread, steps take twice as long.
 */
export interface IndicatorStream<I extends PriceColumn, O extends string> {
  /** The values at this candle; NaN before an output's warm-up. */
  next: (candle: Readonly<Record<I, number>>) => Record<O, number>;
  /** The values that `next` would return for this candle; the state does not change. */
  peek: (candle: Readonly<Record<I, number>>) => Record<O, number>;
}

/** Names the types of an indicator, so that a wrong input, parameter or output does not compile. */
export const defineIndicator = <
  const I extends PriceColumn,
  const O extends string,
  const P extends string = never,
>(
  indicator: Indicator<I, O, P>,
): Indicator<I, O, P> => indicator;

/**
 * The value of every parameter: the given one, or the default. Built key by key, because the V8 shape of a spread
 * object changes after some calls, which discards kernels that are compiled for the first shape.
 */
export function paramsOf<P extends string>(
  specs: Readonly<Record<P, ParamSpec>>,
  given: Partial<Record<P, number>> = {},
): Record<P, number> {
  const params: Partial<Record<P, number>> = {};
  for (const name of Object.keys(specs) as P[]) params[name] = given[name] ?? specs[name].default;
  return params as Record<P, number>;
}

/** One array per output, as long as the candles, fresh or from `scratch`; NaN before the output's warm-up. */
export function computeIndicator<I extends PriceColumn, O extends string, P extends string>(
  indicator: Indicator<I, O, P>,
  candles: Pick<Candles, I>,
  given: Partial<Record<P, number>> = {},
  scratch?: ScratchBuffers,
): Record<O, Float64Array> {
  const params = paramsOf(indicator.params, given);
  const { length } = candles[indicator.inputs[0]];
  const outputs = indicator.outputs.map((name) => [
    name,
    (scratch?.column(length) ?? new Float64Array(length)).fill(NaN, 0, indicator.warmup(params, name)),
  ]);
  const out = Object.fromEntries(outputs) as Record<O, Float64Array>;
  indicator.fill(candles, params, out);
  return out;
}
