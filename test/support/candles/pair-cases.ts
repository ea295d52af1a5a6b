import type { demoPairs } from './demo-candles.js';
import { readFixture } from './fixture.js';

type DemoPair = (typeof demoPairs)[number];
type Three = [value: number, low: number, high: number];

/** The relationship of two demo assets on 1h candles that open before `until`, every 37th of the asset's left out. */
export interface PairCase {
  asset: DemoPair;
  second: DemoPair;
  until: number;
  window: number;
  expected: {
    count: number;
    gaps: number;
    from: number;
    to: number;
    correlation: Three;
    rolling: [count: number, now: number, min: number, max: number, median: number];
    beta: Three;
    alpha: Three;
    rSquared: number;
    lags: number[];
    ratio: [now: number, mean: number, deviation: number, zScore: number];
    spread: [hedgeRatio: number, intercept: number, now: number];
    autoregression: number;
    halfLife: number;
    cointegration: [statistic: number, p: number];
    reverseP: number;
  };
}

/** Relationships by pandas, scipy and statsmodels; see test/fixtures/make-pair-relationship.py. */
export const readPairCases = (): PairCase[] =>
  (readFixture('pair-relationship.json.gz') as { cases: PairCase[] }).cases;
