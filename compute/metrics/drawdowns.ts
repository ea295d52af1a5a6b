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
