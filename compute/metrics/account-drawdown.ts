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
