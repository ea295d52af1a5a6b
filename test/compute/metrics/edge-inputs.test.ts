import assert from 'node:assert/strict';
import { betaOf } from '../../../compute/market/beta.js';
import { augmentedDickeyFuller } from '../../../compute/metrics/augmented-dickey-fuller.js';
import { correlatedShare, varianceOfSum } from '../../../compute/metrics/correlated-share.js';
import { correlationInterval } from '../../../compute/metrics/correlation-interval.js';
import { correlation } from '../../../compute/metrics/correlation.js';
import { drawdowns, maxDrawdown } from '../../../compute/metrics/drawdowns.js';
import { engleGranger } from '../../../compute/metrics/engle-granger.js';
import { excessKurtosis, skewness } from '../../../compute/metrics/moments.js';
import { halfLife, linearRegression } from '../../../compute/metrics/linear-regression.js';
import { meanInterval, skewedMeanInterval } from '../../../compute/metrics/mean-interval.js';
import { median, quantileInterval } from '../../../compute/metrics/quantile.js';
import { optimalBlockLength } from '../../../compute/metrics/optimal-block-length.js';
import { probabilisticSharpe, sharpeError, sharpeInterval } from '../../../compute/metrics/sharpe-error.js';
import { returnDistribution } from '../../../compute/metrics/return-distribution.js';
import { sharpe, sortino } from '../../../compute/metrics/return-ratios.js';
import { totalReturn } from '../../../compute/metrics/returns.js';
import { welchTest } from '../../../compute/metrics/student.js';

/** Statistics of a sample of any size; a second sample, where one is asked for, is the first backwards. */
const statistics: Record<string, (values: Float64Array, other: Float64Array) => unknown> = {
  'augmented Dickey-Fuller': (values) => augmentedDickeyFuller(values, 'constant', 'bic'),
  beta: (values, other) => betaOf(values, other, 8_760),
  'block length': optimalBlockLength,
  'correlated share': correlatedShare,
  correlation,
  'interval of a correlation': correlationInterval,
  drawdowns,
  'Engle and Granger': (values, other) => {
    const found = engleGranger(values, other, 'bic');
    return found && { ...found, spread: [...found.spread] };
  },
  'excess kurtosis': excessKurtosis,
  'half-life': halfLife,
  'linear regression': linearRegression,
  'maximum drawdown': maxDrawdown,
  'interval of a mean': (values) => meanInterval([...values]),
  median: (values) => median([...values]),
  'probabilistic Sharpe ratio': (values) => probabilisticSharpe(values),
  'interval of a quantile': (values) => quantileInterval(values.slice().sort(), 0.05),
  'distribution of returns': (values) => returnDistribution(values),
  'error of a Sharpe ratio': sharpeError,
  'interval of a Sharpe ratio': (values) => sharpeInterval(values, 365),
  'Sharpe ratio': (values) => sharpe(values, 365),
  'interval of a skewed mean': (values) => skewedMeanInterval([...values]),
  skewness,
  'Sortino ratio': (values) => sortino(values, 365),
  'total return': totalReturn,
  'variance of a sum': (values) => varianceOfSum(values, 2),
  "Welch's test": welchTest,
};

/** Values above 0, as prices and equity are. */
const samples: Record<string, readonly number[]> = {
  none: [],
  one: [1.01],
  two: [1.01, 0.99],
  'two alike': [1.01, 1.01],
  'three alike': [0.1, 0.1, 0.1],
  'many alike, whose sum is rounded': Array.from({ length: 100 }, () => 0.1),
  'one that differs': Array.from({ length: 40 }, (_, i) => (i === 20 ? 1.5 : 1)),
  'two in turn': Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1 : 2)),
};

/** The numbers in plain data that JSON would not bring back: NaN, Infinity and -0. */
function lostNumbers(value: unknown, path = ''): string[] {
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? []
      : [`${path}: ${Object.is(value, -0) ? '-0' : value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => lostNumbers(each, `${path}.${key}`));
}

describe('statistics at the edge', () => {
  for (const [name, statistic] of Object.entries(statistics))
    it(`${name}: a number or null, of no values, one, two, and values that are all alike`, () => {
      const faults = Object.entries(samples).flatMap(([title, values]) => {
        const sample = Float64Array.from(values);
        return lostNumbers(statistic(sample, sample.slice().reverse())).map((fault) => `${title}${fault}`);
      });
      assert.deepEqual(faults, []);
    });
});
