import { candleColumns } from './candles.js';
import { field, type Values } from './field.js';

export const trendStates = ['accumulate', 'wait', 'distribute'] as const;

export type TrendState = (typeof trendStates)[number];

/** The codes under which states are stored in a column; `none` stands before the rule is ready. */
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
  /** What the condition asks, in words. */
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
  /** What the price did until the next flip, or until the last candle if there was none yet. */
  outcome: {
    until: number | null;
    candles: number;
    close: number;
    change: number;
    highest: number;
    lowest: number;
  };
}

/** A close of the next candle, and how far from the last close it is: below 0 where it is lower. */
export interface NextClose {
  close: number;
  percent: number;
  /** Distance in ATR of the last closed candle; null where price has not moved for so long that there is none. */
  atr: number | null;
}

/** What it takes to turn to a state. */
export interface FlipTarget {
  to: TrendState;
  /** The nearest close of the next candle that brings the state; null: no close does. */
  nearest: NextClose | null;
  /** The least number of candles the turn takes: 1, unless more must agree in a row. */
  candlesNeeded: number;
  /** The nearest close that makes the next candle one of those that must agree; null: none does, or wait, which asks for none. */
  agreeing: NextClose | null;
}

/** The closes of the next candle at which the state changes. */
export interface FlipPrice {
  /** How the next candle stands but for its close, in words. */
  assumption: string;
  /** The state after a candle that closes where the last one did: another one if strength fades by itself. */
  unmoved: TrendState;
  /** The nearest close that keeps the state; null: none does. */
  stays: NextClose | null;
  /** The two other states. */
  targets: FlipTarget[];
}

/** How much of the past a view keeps. */
export const viewLimits = { candles: 1000, flips: 200 } as const;

export const viewColumns = [...candleColumns, 'line', 'upper', 'lower', 'state'] as const;

interface Sample {
  count: number;
  mean: number | null;
  median: number | null;
  /** The 95 % confidence interval of the mean. */
  low: number | null;
  high: number | null;
}

/** What the price did within some candles after a kind of flip, in percent. */
export type ForwardReturn = Sample & { from: TrendState; to: TrendState; candles: number };

/** How long states lasted, in candles, and what followed flips, over the whole history. */
export interface FlipStatistics {
  durations: (Sample & { state: TrendState })[];
  forwardReturns: ForwardReturn[];
}

/** The trend state of a series after its last closed candle. Times in ms, UTC. */
export interface CurrentState {
  /** Null before the rule is ready (fewer than 61 candles). */
  state: TrendState | null;
  /** Open time of the candle since which the state holds. */
  since: number | null;
  /** How many candles have had the state in a row; 1 on the candle that brought it. */
  candlesInState: number | null;
  /** Days from `since` to `asOf`: on 1d candles without gaps, the same number. */
  daysInState: number | null;
  /** Close of the last candle. */
  price: number;
  /** Close time of the last candle: what is known ends there. */
  asOf: number;
}

/** The trend state of a series that may have no candle at all: then every field is null. */
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
  /** The last 1,000 candles with line, band edges and state code; NaN before the warm-up. */
  columns: Record<(typeof viewColumns)[number], Float64Array>;
  statistics: FlipStatistics;
  /** The last 200 flips, newest first. */
  flips: FlipView[];
}
