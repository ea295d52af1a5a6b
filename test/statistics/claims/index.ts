import type { Claim } from '../claim.js';
import { anomaliesVolume } from './anomalies-volume.js';
import { compareBest } from './compare-best.js';
import { compareSignificant } from './compare-significant.js';
import { pairBeta } from './pair-beta.js';
import { pairCointegrated } from './pair-cointegrated.js';
import { pairCorrelationInterval } from './pair-correlation.js';
import { pairHalfLife } from './pair-half-life.js';
import { pairLead } from './pair-lead.js';
import { pairRatioZ } from './pair-ratio-z.js';
import { pairSpreadZ } from './pair-spread-z.js';
import { patternHistoryAgainst } from './pattern-history.js';
import { performanceSharpe } from './performance-sharpe.js';
import { riskCalibrationMean } from './risk-calibration-mean.js';
import { riskCalibrationOrder } from './risk-calibration-order.js';
import { seasonalityHour } from './seasonality-hour.js';
import { seasonalitySession } from './seasonality-session.js';
import { seasonalityWeekday } from './seasonality-weekday.js';
import { similarHistoryDifferent } from './similar-history-different.js';
import { similarHistoryRises } from './similar-history-rises.js';
import { sweepBest } from './sweep-best.js';
import { walkForwardSharpe } from './walk-forward-sharpe.js';
import { walkForwardVerdict } from './walk-forward-verdict.js';

/** Every claim that is measured, in alphabetical order of the names. */
export const claims: readonly Claim[] = [
  anomaliesVolume,
  patternHistoryAgainst,
  compareBest,
  compareSignificant,
  pairBeta,
  pairCointegrated,
  pairCorrelationInterval,
  pairHalfLife,
  pairLead,
  pairRatioZ,
  pairSpreadZ,
  performanceSharpe,
  riskCalibrationMean,
  riskCalibrationOrder,
  seasonalityHour,
  seasonalitySession,
  seasonalityWeekday,
  similarHistoryDifferent,
  similarHistoryRises,
  sweepBest,
  walkForwardSharpe,
  walkForwardVerdict,
];
