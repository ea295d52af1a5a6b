import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { findConflicts, type Conflict } from './conflicts.js';
import { isStill, stillCandles } from './is-still.js';
import { reportMomentum } from './momentum.js';
import { readAt, type ReadAt } from './read-at.js';
import type { Regime } from './regimes.js';
import { requireCandles } from './require-candles.js';
import { reportTrend, trendCandles } from './trend.js';
import { reportVolatility } from './volatility.js';
import { reportVolume } from './volume.js';
import { tallyVotes, verdictOf, type GroupVerdict, type Verdict } from './verdict.js';
import { castVotes, voteGroups, type TechnicalReadings, type Vote, type VoteGroup } from './votes.js';

/** How many closed candles the summary needs at least. */
export const summaryCandles = trendCandles;

/** What each group counts for in the score. Volatility says least about direction. */
const weights: Record<VoteGroup, number> = { trend: 0.4, momentum: 0.3, volatility: 0.1, volume: 0.2 };

export interface TechnicalSummary extends ReadAt {
  /** By the score; strong only where the trend points the same way. */
  verdict: Verdict;
  /** The weighted mean of the groups' scores, -1 (all bearish) to 1: trend 0.4, momentum 0.3, volume 0.2, volatility 0.1. */
  score: number;
  groups: Record<VoteGroup, GroupVerdict>;
  votes: Vote[];
  conflicts: Conflict[];
  /** What has no direction but says how far to trust one. */
  conditions: {
    trendStrength: TechnicalReadings['trend']['adx']['trendStrength'];
    volatility: Regime | null;
    squeeze: boolean;
    volume: TechnicalReadings['volume']['volumeAverage']['label'];
  };
}

/**
 * What trend, momentum, volatility and volume indicators say together, and where they contradict each other. A price
 * that has not moved for 14 candles gets neutral votes only. Throws `not_enough_history`.
 */
export function summariseTechnicals(
  question: SeriesQuestion,
  scratch = new ScratchBuffers(),
): TechnicalSummary {
  requireCandles('a technical summary', question, summaryCandles);
  const readings: TechnicalReadings = {
    trend: scratch.within(() => reportTrend(question, scratch)),
    momentum: scratch.within(() => reportMomentum(question, scratch)),
    volatility: scratch.within(() => reportVolatility(question, scratch)),
    volume: reportVolume(question),
  };
  const votes = isStill(question.candles) ? castVotes(readings).map(withdraw) : castVotes(readings);
  const entries = voteGroups.map((group) => [
    group,
    tallyVotes(votes.filter((vote) => vote.group === group)),
  ]);
  const groups = Object.fromEntries(entries) as Record<VoteGroup, GroupVerdict>;
  const score = voteGroups.reduce((sum, group) => sum + weights[group] * groups[group].score, 0);
  return {
    ...readAt(question),
    verdict: verdictOf(score, groups.trend.score * score > 0 && groups.trend.verdict !== 'neutral'),
    score,
    groups,
    votes,
    conflicts: findConflicts(readings, groups),
    conditions: {
      trendStrength: readings.trend.adx.trendStrength,
      volatility: readings.volatility.regime.now,
      squeeze: readings.volatility.squeeze.on,
      volume: readings.volume.volumeAverage.label,
    },
  };
}

const withdraw = (vote: Vote): Vote => ({
  ...vote,
  vote: 'neutral',
  reason: `price has not moved for ${stillCandles} candles`,
});
