import type { RiskAssessment, TradeSide } from '../../../compute/model/risk-assessment.js';
import type { demoPairs } from './demo-candles.js';
import { readFixture } from './fixture.js';
import type { sharedPairs } from './shared-data.js';

/** What is to be known once the first `candles` 1h candles of a pair have closed; numbers unrounded. */
export interface RiskPoint<Pair> {
  pair: Pair;
  candles: number;
  side: TradeSide;
  expected: RiskAssessment;
}

/** Assessments of the demo candles by an independent implementation; see test/fixtures/make-risk.py. */
export const readDemoRisk = () => readPoints<(typeof demoPairs)[number]>('demo-risk.json.gz');

/** The same of the shared data's candles. */
export const readSharedRisk = () => readPoints<(typeof sharedPairs)[number]>('shared-risk.json.gz');

const readPoints = <Pair>(name: string): RiskPoint<Pair>[] =>
  (readFixture(name) as { points: RiskPoint<Pair>[] }).points;
