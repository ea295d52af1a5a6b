import { candleColumns } from './candles.js';
import { field, type Values } from './field.js';

export const trendStates = ['accumulate', 'wait', 'distribute'] as const;

export type TrendState = (typeof trendStates)[number];

/** The colour in which each state is shown. */
export const stateColors: Readonly<Record<TrendState, string>> = {
  accumulate: '#3ca691',
  wait: '#6B6588',
  distribute: '#B767DE',
};

/** The codes of states in a column; `none` before the rule is ready. */
export const stateCode = { none: -2, distribute: -1, wait: 0, accumulate: 1 } as const;

/** The name of a stored state; null for `none`. */
export function stateName(code: number): TrendState | null {
  if (code === stateCode.accumulate) return 'accumulate';
  if (code === stateCode.distribute) return 'distribute';
  return code === stateCode.wait ? 'wait' : null;
}

export const conditionNames = ['band', 'slope', 'direction', 'strength', 'confirmation'] as const;

/** One condition of the rule on the candle of a flip, with the numbers it compared. */
export interface Condition {
  name: (typeof conditionNames)[number];
  /** The condition in words. */
  asks: string;
  held: boolean;
  value: number;
  threshold: number;
}

/** A change of state. Times are open times of candles in ms, UTC; `change` is in percent. */
export interface FlipView {
  time: number;
  from: TrendState;
  to: TrendState;
  close: number;
  conditions: Condition[];
  explanation: string;
  /** The change of the price until the next flip, or until the last candle if no flip followed. */
  outcome: {
    until: number | null;
    candles: number;
    close: number;
    change: number;
    highest: number;
    lowest: number;
  };
}

/** A close of the next candle and its distance from the last close, negative where it is lower. */
export interface NextClose {
  close: number;
  percent: number;
  /** Distance in ATR of the last closed candle; null where the ATR is 0. */
  atr: number | null;
  /** The range of closes around it that do the same, to one double; null where it has no limit. */
  lowest: number | null;
  highest: number | null;
}

/** The conditions of a turn to a state. */
export interface FlipTarget {
  to: TrendState;
  /** The nearest close of the next candle that turns the state; null: no close does. */
  nearest: NextClose | null;
  /** The fewest candles that the turn takes: 1, unless several in a row must agree. */
  candlesNeeded: number;
  /** The nearest close with which the next candle agrees; null: no close does, or the state is wait, which needs none. */
  agreeing: NextClose | null;
}

/** The closes of the next candle at which the state changes. */
export interface FlipPrice {
  /** The assumptions about the next candle, except for its close, in words. */
  assumption: string;
  /** The state after a candle with an unchanged close. It differs from the present one if the strength decays. */
  unmoved: TrendState;
  /** The nearest close that keeps the state; null: none does. */
  stays: NextClose | null;
  /** The two other states. */
  targets: FlipTarget[];
}

/** The length of the past in a view. */
export const viewLimits = { candles: 1000, flips: 200 } as const;

export const viewColumns = [...candleColumns, 'line', 'upper', 'lower', 'state'] as const;

interface Sample {
  count: number;
  mean: number | null;
  median: number | null;
  /** The 95 % confidence interval of the mean. */
  low: number | null;
  high: number | null;
  /** Why figures are null; null where none is. */
  reason: string | null;
}

/**
 * Changes of the price, in percent, within `candles` candles after the flips from `from` to `to`. `seen` flips have that many
 * candles after them. The figures come from the `count` of them whose changes do not overlap.
 */
export type ForwardReturn = Sample & { from: TrendState; to: TrendState; candles: number; seen: number };

/** Lengths of states in candles, and changes of the price after flips, over the whole history. */
export interface FlipStatistics {
  durations: (Sample & { state: TrendState })[];
  forwardReturns: ForwardReturn[];
  /** How the confidence intervals are computed. */
  method: string;
}

/** The trend state of a series after its last closed candle. Times in ms, UTC. */
export interface CurrentState {
  /** Null before the rule is ready (fewer than 61 candles). */
  state: TrendState | null;
  /** Open time of the first candle of the present state. */
  since: number | null;
  /** Candles in a row with the present state; 1 on its first candle. */
  candlesInState: number | null;
  /** Days from `since` to `asOf`: on 1d candles without gaps, the same number. */
  daysInState: number | null;
  /** Close of the last candle. */
  price: number;
  /** Close time of the last candle. */
  asOf: number;
}

/** The trend state of a series; every field is null if the series has no candle. */
export const stateFields = {
  state: field.nullable(field.choice('trend state; null with fewer than 61 candles', trendStates)),
  since: field.nullable(field.time('open time of the candle since which the state holds')),
  candlesInState: field.nullable(
    field.count('candles in a row with this state; 1 on the candle that brought it', { unit: 'candles' }),
  ),
  daysInState: field.nullable(field.number('days from `since` to `asOf`', { unit: 'days' })),
  price: field.nullable(field.number('last close', { unit: 'quote' })),
  asOf: field.nullable(field.time('close time of the last candle')),
};

export type StateOrNone = Values<typeof stateFields>;

/** The trend state of a series, where it changes next, and its recent past. */
export interface CoreLineView extends CurrentState {
  /** Where the state changes next; null before the rule is ready. */
  flipPrice: FlipPrice | null;
  /** Where structure, trend, momentum and summary point and why, if they differ; null if they do not, or before the rule is ready. */
  readingsDiffer: string | null;
  /** The last 1,000 candles with line, band edges and state code; NaN before the warm-up. */
  columns: Record<(typeof viewColumns)[number], Float64Array>;
  statistics: FlipStatistics;
  /** The last 200 flips, newest first. */
  flips: FlipView[];
}
