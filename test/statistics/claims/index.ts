import type { Claim } from '../claim.js';
import { anomaliesVolume } from './anomalies-volume.js';
import { compareBest } from './compare-best.js';
import { compareSignificant } from './compare-significant.js';
import { flipsDuration } from './flips-duration.js';
import { flipsForward } from './flips-forward.js';
import { flipsHitRate } from './flips-hit-rate.js';
import { monteCarloCross } from './monte-carlo-cross.js';
import { monteCarloEntries } from './monte-carlo-entries.js';
import { monteCarloHold } from './monte-carlo-hold.js';
import { pairAlpha } from './pair-alpha.js';
import { pairBeta } from './pair-beta.js';
import { pairCointegrated } from './pair-cointegrated.js';
import { pairCorrelationInterval } from './pair-correlation.js';
import { pairHalfLife } from './pair-half-life.js';
import { pairLead } from './pair-lead.js';
import { pairRatioZ } from './pair-ratio-z.js';
import { pairSpreadZ } from './pair-spread-z.js';
import { patternHistoryAgainst } from './pattern-history.js';
import { patternReturn } from './pattern-return.js';
import { patternShare } from './pattern-share.js';
import { performanceSharpe } from './performance-sharpe.js';
import { portfolioRiskLoss } from './portfolio-risk-loss.js';
import { regimesLength } from './regimes-length.js';
import { riskCalibrationMean } from './risk-calibration-mean.js';
import { riskCalibrationOrder } from './risk-calibration-order.js';
import { seasonalityHour } from './seasonality-hour.js';
import { seasonalityMean } from './seasonality-mean.js';
import { seasonalityMonth } from './seasonality-month.js';
import { seasonalityRises } from './seasonality-rises.js';
import { seasonalitySession } from './seasonality-session.js';
import { seasonalityWeekday } from './seasonality-weekday.js';
import { similarHistoryDifferent } from './similar-history-different.js';
import { similarHistoryRises } from './similar-history-rises.js';
import { sweepBest } from './sweep-best.js';
import { tailRiskDayOfAYear } from './tail-risk-day-of-a-year.js';
import { tailRiskDay } from './tail-risk-day.js';
import { tailRiskWeek } from './tail-risk-week.js';
import { targetProbabilityGain } from './target-probability-gain.js';
import { targetProbabilityShare } from './target-probability-share.js';
import { targetProbabilitySimilar } from './target-probability-similar.js';
import { walkForwardSharpe } from './walk-forward-sharpe.js';
import { walkForwardVerdict } from './walk-forward-verdict.js';

/** Every claim that is measured, in alphabetical order of the names. */
export const claims: readonly Claim[] = [
  anomaliesVolume,
  patternHistoryAgainst,
  patternReturn,
  patternShare,
  compareBest,
  compareSignificant,
  flipsDuration,
  flipsHitRate,
  flipsForward,
  monteCarloEntries,
  monteCarloCross,
  monteCarloHold,
  pairAlpha,
  pairBeta,
  pairCointegrated,
  pairCorrelationInterval,
  pairHalfLife,
  pairLead,
  pairRatioZ,
  pairSpreadZ,
  performanceSharpe,
  portfolioRiskLoss,
  riskCalibrationMean,
  riskCalibrationOrder,
  seasonalityHour,
  seasonalityMean,
  seasonalityMonth,
  seasonalitySession,
  seasonalityRises,
  seasonalityWeekday,
  similarHistoryDifferent,
  similarHistoryRises,
  sweepBest,
  tailRiskDay,
  tailRiskDayOfAYear,
  tailRiskWeek,
  targetProbabilityGain,
  targetProbabilityShare,
  targetProbabilitySimilar,
  regimesLength,
  walkForwardSharpe,
  walkForwardVerdict,
];
