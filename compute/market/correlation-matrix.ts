import { defineAnalysis } from '../analysis.js';
import { correlation } from '../metrics/correlation.js';
import { correlationInterval, correlationIntervalFields } from '../metrics/correlation-interval.js';
import { candleReturns } from '../metrics/returns.js';
import { assetList } from '../model/asset-fields.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';
import { formatNumber } from '../model/format-number.js';
import { intervalMs } from '../model/interval.js';
import type { MarketQuestion } from '../task.js';
import { countGaps } from './align.js';
import { commonCloses, pairOf } from './pair-relationship.js';
import { marketNow } from './market-now.js';

const matrixAssets = { min: 2, max: 15 } as const;

/** The least number of returns for a correlation. */
const fewestReturns = 20;

const correlationMatrixParams = {
  assets: assetList('assets to correlate', matrixAssets),
  window: field.integer(
    'length of the window: the last common candles, each with its return since the one before',
    {
      min: 20,
      max: 365,
      default: 90,
      unit: 'candles',
    },
  ),
};

export type CorrelationMatrixParams = Values<typeof correlationMatrixParams>;

const assetCorrelation = (text: string) =>
  field.object(text, {
    first: field.text('asset symbol'),
    second: field.text('asset symbol'),
    ...correlationIntervalFields,
  });

export type AssetCorrelation = Value<ReturnType<typeof assetCorrelation>>;

const correlationMatrixOutput = field.object('correlations of returns', {
  assets: field.list('the order of rows and columns', field.text('asset symbol')),
  matrix: field.list(
    'one row for each asset',
    field.list(
      'one correlation for each asset',
      field.nullable(field.number('correlation, -1 to 1; null where a price does not move')),
    ),
  ),
  pairs: field.list('every two assets once, in the order of the matrix', assetCorrelation('two assets')),
  average: field.nullable(
    field.number('mean correlation of the pairs that have one; null where no pair has one'),
  ),
  least: field.nullable(assetCorrelation('the pair with the lowest correlation, the most negative first')),
  most: field.nullable(assetCorrelation('the pair with the highest correlation')),
  reason: nullReason,
  count: field.count('returns of each asset; fewer than the window where the common history is shorter'),
  gaps: field.count('returns that span more than one candle because candles are missing'),
  from: field.time('open time of the candle that the first return starts from'),
  to: field.time('close time of the last common candle'),
  staleAssets: field.list(
    'assets whose last candle is older than that of others: the window ends with theirs',
    field.text('asset symbol'),
  ),
});

/** How the returns of assets move together. */
export type CorrelationMatrix = Value<typeof correlationMatrixOutput>;

export const correlationMatrix = defineAnalysis({
  name: 'correlation-matrix',
  title: 'Correlation matrix',
  summary:
    'Correlation of returns among 2 to 15 assets over a window, with the mean correlation and the least correlated pair.',
  needs: 'assets',
  params: correlationMatrixParams,
  assets: ({ assets }) => assets,
  output: correlationMatrixOutput,
  scope: 'public',
  tool: {
    name: 'get_correlation_matrix',
    headline: ({ assets, average, least }) =>
      `Average correlation of ${assets.join(', ')}: ${average === null ? 'unknown' : formatNumber(average, 2)}${leastWords(least)}.`,
  },
  cost: 3,
  run: (question) => correlateAssets(question),
});

/**
 * Pearson's correlations of simple candle returns among 2 to 15 assets, on the candles that all of them have: the same
 * moments for every pair, so the matrix is positive semidefinite. Throws `invalid_input` for too few or too many assets,
 * one named twice or one without candles, and `not_enough_history` with fewer than 20 common returns.
 */
function correlateAssets({
  pairs: all,
  interval,
  params: { assets, window },
}: MarketQuestion<CorrelationMatrixParams>): CorrelationMatrix {
  checkAssets(assets);
  const pairs = assets.map((asset) => pairOf(asset, all, 'assets'));
  const { time, closes } = commonCloses(pairs, window + 1, fewestReturns + 1);
  const returns = closes.map((close) => candleReturns(close));
  const count = time.length - 1;
  const matrix = returns.map((x) => returns.map((y) => correlation(x, y)));
  const correlations = assets.flatMap((first, i) =>
    assets.slice(i + 1).map((second, n) => {
      return { first, second, ...correlationInterval(returns[i], returns[i + 1 + n]) };
    }),
  );
  const step = intervalMs(interval);
  return {
    assets,
    matrix,
    pairs: correlations,
    ...extremes(correlations),
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

function extremes(
  all: readonly AssetCorrelation[],
): Pick<CorrelationMatrix, 'average' | 'least' | 'most' | 'reason'> {
  const known = all.filter(({ correlation }) => correlation !== null);
  if (known.length === 0)
    return { average: null, least: null, most: null, reason: 'no two of the prices move' };
  const ranked = [...known].sort((a, b) => a.correlation! - b.correlation!);
  return {
    average: known.reduce((sum, { correlation }) => sum + correlation!, 0) / known.length,
    least: ranked[0],
    most: ranked[ranked.length - 1],
    reason: known.length === all.length ? null : 'in the matrix, null stands where a price does not move',
  };
}

function leastWords(least: CorrelationMatrix['least']): string {
  const correlation = least?.correlation ?? null;
  if (correlation === null) return '';
  return `; the least correlated pair is ${least!.first} and ${least!.second} with ${formatNumber(correlation, 2)}`;
}
