import { quantile } from '../metrics/quantile.js';
import { field, type Unit, type Values } from '../model/field.js';
import type { Random } from '../model/random.js';

const percentile = (rank: number, unit: Unit) => field.number(`${rank}th percentile of the paths`, { unit });

/** Percentiles of a figure over many paths. */
export const bandFields = (unit: Unit) => ({
  p5: percentile(5, unit),
  p25: percentile(25, unit),
  p50: percentile(50, unit),
  p75: percentile(75, unit),
  p95: percentile(95, unit),
});

export type Bands = Values<ReturnType<typeof bandFields>>;

/** The results of resampled paths: one value per path, in percent; drawdowns are 0 or below. */
export interface PathFigures {
  totalReturn: Float64Array;
  maxDrawdown: Float64Array;
}

/** Equity of the paths at checkpoints: one column per checkpoint, one row per path. */
export interface Checkpoints {
  /** The number of steps before each checkpoint, ascending. */
  steps: readonly number[];
  columns: readonly Float64Array[];
}

/**
 * Resampled paths, each as long as the returns (fractions): blocks of consecutive returns with random starts, which wrap
 * around from the last return to the first, are joined until the path is full. Blocks preserve the dependence between
 * neighbouring returns. Politis and Romano, A Circular Block-Resampling Procedure, 1992.
 */
export function bootstrapPaths(
  returns: Float64Array,
  { paths, blockLength, random }: { paths: number; blockLength: number; random: Random },
  checkpoints?: Checkpoints,
  tellDone: (paths: number) => void = () => undefined,
): PathFigures {
  const count = returns.length;
  const totalReturn = new Float64Array(paths);
  const maxDrawdown = new Float64Array(paths);
  // The first block is repeated after the last return, so that no step has to wrap around.
  const growth = new Float64Array(count + blockLength);
  for (let i = 0; i < growth.length; i++) growth[i] = 1 + returns[i % count];
  const path = new Float64Array(count);
  for (let n = 0; n < paths; n++) {
    tellDone(n);
    let equity = 1;
    let peak = 1;
    let lowest = 1;
    for (let step = 0; step < count; step += blockLength) {
      const start = Math.floor(random.unit() * count);
      const length = Math.min(blockLength, count - step);
      for (let k = 0; k < length; k++) {
        equity *= growth[start + k];
        path[step + k] = equity;
        if (equity > peak) peak = equity;
        else if (equity < lowest * peak) lowest = equity / peak;
      }
    }
    totalReturn[n] = (equity - 1) * 100;
    maxDrawdown[n] = (lowest - 1) * 100;
    checkpoints?.steps.forEach((step, c) => (checkpoints.columns[c][n] = path[step - 1]));
  }
  return { totalReturn, maxDrawdown };
}

/** Up to `most` steps at equal distances, the last one included. */
export const checkpointsOf = (steps: number, paths: number, most: number): Checkpoints => {
  const columns = Math.min(steps, most);
  return {
    steps: Array.from({ length: columns }, (_, n) => Math.round(((n + 1) * steps) / columns)),
    columns: Array.from({ length: columns }, () => new Float64Array(paths)),
  };
};

/** The percentiles of values, which are sorted in place. */
export function bandsOf(values: Float64Array): Bands {
  const ascending = values.sort();
  const at = (share: number) => quantile(ascending, share);
  return { p5: at(0.05), p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95) };
}
