import type { ParamSpec } from './indicator.js';
import type { Candles } from './candles.js';
import type { ScratchBuffers } from './scratch-buffers.js';

/** The position a strategy wants after the close of a candle: long, flat, or the same as before. */
export const target = { flat: 0, long: 1, keep: 2 } as const;

/** A strategy: a pure rule from closed candles to the position wanted after each of them. */
export interface Strategy<P extends string> {
  name: string;
  title: string;
  /** The rule in one sentence, for people. */
  rule: string;
  params: Readonly<Record<P, ParamSpec>>;
  /** Whether the values go together, where the ranges are not enough. Grids skip combinations that it refuses. */
  allows?: (params: Readonly<Record<P, number>>) => boolean;
  /** What `allows` asks for, as the end of an error message. Given with `allows`. */
  allowed?: string;
  /** The index of the first candle that the rule can decide on. */
  ready(params: Readonly<Record<P, number>>): number;
  /**
   * Writes a target for every candle from `ready` on. The target of candle i depends on candles up to i alone.
   * Before `ready` the targets are `flat`.
   */
  fill(
    candles: Candles,
    params: Readonly<Record<P, number>>,
    targets: Int8Array,
    scratch?: ScratchBuffers,
  ): void;
}

export const defineStrategy = <const P extends string = never>(strategy: Strategy<P>): Strategy<P> =>
  strategy;

/** The target of every candle, `flat` before the strategy is ready. Releases the columns that it takes from `scratch`. */
export function computeTargets<P extends string>(
  strategy: Strategy<P>,
  candles: Candles,
  params: Readonly<Record<P, number>>,
  scratch?: ScratchBuffers,
): Int8Array {
  const targets = new Int8Array(candles.close.length);
  const fill = () => strategy.fill(candles, params, targets, scratch);
  if (scratch) scratch.within(fill);
  else fill();
  return targets;
}
