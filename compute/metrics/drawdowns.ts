/** The minimum of equity / running maximum - 1, in percent, 0 or below; null without equity. */
export function maxDrawdown(equity: Float64Array): number | null {
  if (equity.length === 0) return null;
  let peak = equity[0];
  let lowest = 0;
  let floor = peak;
  for (let i = 1; i < equity.length; i++) {
    const value = equity[i];
    if (value > peak) {
      peak = value;
      floor = peak * (1 + lowest);
    } else if (value < floor) {
      lowest = Math.min(lowest, value / peak - 1);
      floor = value;
    }
  }
  return lowest * 100;
}

/** A fall of a value below a peak. Positions are indexes. */
export interface Drawdown {
  /** The peak before the fall. */
  peak: number;
  /** The lowest value. */
  trough: number;
  /** The first value at or above the peak again; null while the fall lasts. */
  recovery: number | null;
  /** Depth at the trough as a fraction of the peak, below 0. */
  depth: number;
}

/** Every fall of a value below its running maximum, in order of time. The last one may not have ended. */
export function drawdowns(values: Float64Array): Drawdown[] {
  const found: Drawdown[] = [];
  let peak = 0;
  let trough = 0;
  const note = (recovery: number | null) => {
    if (values[trough] < values[peak])
      found.push({ peak, trough, recovery, depth: values[trough] / values[peak] - 1 });
  };
  for (let i = 1; i < values.length; i++) {
    if (values[i] >= values[peak]) {
      note(i);
      peak = trough = i;
    } else if (values[i] < values[trough]) trough = i;
  }
  note(null);
  return found;
}

/** The maximum drawdown of an account, in percent, 0 or below; null without equity. */
export interface AccountDrawdown {
  /** The minimum of equity / the highest equity before - 1, both at closes. */
  onCloses: number | null;
  /**
   * The minimum of the lowest equity during a candle / the highest equity at an earlier close - 1. It is never milder than
   * on closes. Peaks are closes, because within a candle it is unknown whether its high or its low came first.
   */
  onLows: number | null;
}

/** Both drawdowns in one pass. */
export function accountDrawdown(equity: Float64Array, lowestEquity: Float64Array): AccountDrawdown {
  if (equity.length === 0) return { onCloses: null, onLows: null };
  let peak = equity[0];
  let onCloses = 0;
  let onLows = 0;
  let closeFloor = peak;
  let lowFloor = peak;
  for (let i = 1; i < equity.length; i++) {
    const value = equity[i];
    if (lowestEquity[i] < lowFloor) {
      lowFloor = lowestEquity[i];
      onLows = Math.min(onLows, lowFloor / peak - 1);
    }
    if (value > peak) {
      peak = value;
      closeFloor = peak * (1 + onCloses);
      lowFloor = peak * (1 + onLows);
    } else if (value < closeFloor) {
      closeFloor = value;
      onCloses = Math.min(onCloses, value / peak - 1);
    }
  }
  return { onCloses: onCloses * 100, onLows: onLows * 100 };
}
