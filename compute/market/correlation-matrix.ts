import { correlation } from '../metrics/correlation.js';
import { correlationInterval, type CorrelationInterval } from '../metrics/correlation-interval.js';
import { candleReturns } from '../metrics/returns.js';
import { AppError } from '../model/errors.js';
import { intervalMs } from '../model/interval.js';
import type { MarketQuestion } from '../task.js';
import { countGaps } from './align.js';
import { commonCloses } from './common-closes.js';
import { marketNow } from './market-now.js';

/** How many assets a matrix may have. */
export const matrixAssets = { min: 2, max: 15 } as const;

/** How few returns may make a correlation. */
const fewestReturns = 20;

export interface CorrelationMatrixParams {
  /** How many of the last common candles count, each with its return over the common candle before. */
  window: number;
}

export type AssetCorrelation = CorrelationInterval & { first: string; second: string };

/** How the returns of assets move together. Times in ms, UTC. */
export interface CorrelationMatrix {
  /** The order of the matrix' rows and columns. */
  assets: string[];
  /** Correlations, -1 to 1; null beside an asset whose price did not move. */
  matrix: (number | null)[][];
  /** Every two assets once, in the order of the matrix. */
  pairs: AssetCorrelation[];
  /** The plain mean over the pairs that have a correlation; null if none has. */
  average: number | null;
  /** The pair with the lowest correlation, the most negative first: what diversifies best. */
  least: AssetCorrelation | null;
  most: AssetCorrelation | null;
  /** Returns per asset: fewer than the window where the common history is shorter. */
  count: number;
  /** How many of them span more than one candle, as a candle is missing in some series. */
  gaps: number;
  /** Open time of the candle that the first return starts from, and close time of the last. */
  from: number;
  to: number;
  /** Assets whose last candle is older than the newest of the others: the common window ends with theirs. */
  staleAssets: string[];
}

/**
 * Pearson's correlations of simple candle returns among 2 to 15 assets, on the candles that all of them have: the same
 * moments for every pair, so the matrix is positive semidefinite. Throws `invalid_input` for too few or too many assets
 * or one asset twice, and `not_enough_history` with fewer than 20 common returns.
 */
export function correlationMatrix({
  pairs,
  interval,
  params: { window },
}: MarketQuestion<CorrelationMatrixParams>): CorrelationMatrix {
  const assets = pairs.map(({ asset }) => asset);
  checkAssets(assets);
  const { time, closes } = commonCloses(pairs, window + 1, fewestReturns + 1);
  const returns = closes.map((close) => candleReturns(close));
  const count = time.length - 1;
  const matrix = returns.map((x) => returns.map((y) => correlation(x, y)));
  const all = assets.flatMap((first, i) =>
    assets.slice(i + 1).map((second, n) => {
      return { first, second, ...correlationInterval(matrix[i][i + 1 + n], count) };
    }),
  );
  const step = intervalMs(interval);
  return {
    assets,
    matrix,
    pairs: all,
    ...extremes(all),
    count,
    gaps: countGaps(time, step),
    from: time[0],
    to: time[count] + step,
    staleAssets: marketNow(pairs, interval).stale.map(({ asset }) => asset),
  };
}

function checkAssets(assets: readonly string[]): void {
  const { min, max } = matrixAssets;
  const fault = (message: string) => new AppError('invalid_input', message, { details: { field: 'assets' } });
  if (assets.length < min || assets.length > max)
    throw fault(`expected ${min} to ${max} assets, found ${assets.length}`);
  const twice = assets.find((asset, n) => assets.indexOf(asset) !== n);
  if (twice !== undefined) throw fault(`the asset "${twice}" is named twice`);
}

function extremes(all: readonly AssetCorrelation[]): Pick<CorrelationMatrix, 'average' | 'least' | 'most'> {
  const known = all.filter(({ correlation }) => correlation !== null);
  if (known.length === 0) return { average: null, least: null, most: null };
  const ranked = [...known].sort((a, b) => a.correlation! - b.correlation!);
  return {
    average: known.reduce((sum, { correlation }) => sum + correlation!, 0) / known.length,
    least: ranked[0],
    most: ranked[ranked.length - 1],
  };
}
