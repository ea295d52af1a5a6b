import { candleColumns } from './candles.js';

export type TrendState = 'accumulate' | 'wait' | 'distribute';

/** The codes under which states are stored in a column; `none` stands before the rule is ready. */
export const stateCode = { none: -2, distribute: -1, wait: 0, accumulate: 1 } as const;

/** The name of a stored state; null for `none`. */
export function stateName(code: number): TrendState | null {
  if (code === stateCode.accumulate) return 'accumulate';
  if (code === stateCode.distribute) return 'distribute';
  return code === stateCode.wait ? 'wait' : null;
}

/** One condition of the rule on the candle of a flip, with the numbers it compared. */
export interface Condition {
  name: 'band' | 'slope' | 'direction' | 'strength' | 'confirmation';
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

/** The trend state of a series after its last closed candle, and its recent past. Times in ms, UTC. */
export interface CoreLineView {
  /** Null before the rule is ready (fewer than 61 candles). */
  state: TrendState | null;
  /** Open time of the candle since which the state holds. */
  since: number | null;
  /** Close of the last candle. */
  price: number;
  /** Close time of the last candle: what the view knows ends there. */
  asOf: number;
  /** The last 1,000 candles with line, band edges and state code; NaN before the warm-up. */
  columns: Record<(typeof viewColumns)[number], Float64Array>;
  statistics: FlipStatistics;
  /** The last 200 flips, newest first. */
  flips: FlipView[];
}
