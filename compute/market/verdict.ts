import type { Standing } from '../model/standing.js';
import type { Vote } from './votes.js';

const verdicts = ['strongly bearish', 'bearish', 'neutral', 'bullish', 'strongly bullish'] as const;

export type Verdict = (typeof verdicts)[number];

/** From which score on, to either side, a verdict is more than neutral, and strong. */
export const leaningScore = 0.2;
const strongScore = 0.5;

/** What the votes of one group come to. */
export interface GroupVerdict {
  verdict: Verdict;
  /** Bullish less bearish votes, over all votes of the group: -1 to 1. */
  score: number;
  bullish: number;
  bearish: number;
  neutral: number;
}

export function tallyVotes(votes: readonly Vote[]): GroupVerdict {
  const count = (standing: Standing) => votes.filter(({ vote }) => vote === standing).length;
  const [bullish, bearish, neutral] = [count('bullish'), count('bearish'), count('neutral')];
  const score = (bullish - bearish) / votes.length;
  return { verdict: verdictOf(score), score, bullish, bearish, neutral };
}

/** The verdict of a score between -1 and 1. What misses a limit by the rounding of tenths alone is at it. */
export function verdictOf(score: number, mayBeStrong = true): Verdict {
  const size = Math.abs(score) + 1e-12;
  const strength = size < leaningScore ? 0 : size < strongScore || !mayBeStrong ? 1 : 2;
  return verdicts[2 + Math.sign(score) * strength];
}
