import type { Claim } from '../claim.js';
import { flipsDuration } from './flips-duration.js';
import { flipsForward } from './flips-forward.js';
import { monteCarloCross } from './monte-carlo-cross.js';
import { monteCarloEntries } from './monte-carlo-entries.js';
import { monteCarloHold } from './monte-carlo-hold.js';
import { performanceSharpe } from './performance-sharpe.js';
import { portfolioRiskLoss } from './portfolio-risk-loss.js';
import { tailRiskDay } from './tail-risk-day.js';
import { tailRiskWeek } from './tail-risk-week.js';
import { targetProbabilityGain } from './target-probability-gain.js';
import { targetProbabilityShare } from './target-probability-share.js';
import { targetProbabilitySimilar } from './target-probability-similar.js';

/** Every claim that is measured, in alphabetical order of the names. */
export const claims: readonly Claim[] = [
  flipsDuration,
  flipsForward,
  monteCarloEntries,
  monteCarloCross,
  monteCarloHold,
  performanceSharpe,
  portfolioRiskLoss,
  tailRiskDay,
  tailRiskWeek,
  targetProbabilityGain,
  targetProbabilityShare,
  targetProbabilitySimilar,
];
