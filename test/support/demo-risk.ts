import type { RiskAssessment, TradeSide } from '../../compute/model/risk-assessment.js';
import type { demoPairs } from './demo-candles.js';
import { readFixture } from './fixture.js';

/** What is to be known once the first `candles` 1h candles of a demo pair have closed; numbers unrounded. */
export interface RiskPoint {
  pair: (typeof demoPairs)[number];
  candles: number;
  side: TradeSide;
  expected: RiskAssessment;
}

/** Assessments of the demo candles by an independent implementation; see test/fixtures/make-risk.py. */
export function readDemoRisk(): RiskPoint[] {
  return (readFixture('demo-risk.json.gz') as { points: RiskPoint[] }).points;
}
