import { field, type Value } from '../model/field.js';
import type { Standing } from '../model/standing.js';
import type { Vote } from './votes.js';

const verdicts = ['strongly bearish', 'bearish', 'neutral', 'bullish', 'strongly bullish'] as const;

export type TechnicalVerdict = (typeof verdicts)[number];

/** A verdict leans to a side from `leaningScore` on and is strong from `strongScore` on. */
export const leaningScore = 0.2;
const strongScore = 0.5;

export const verdictField = (text: string) => field.choice(text, verdicts);

export const groupVerdictField = (text: string) =>
  field.object(text, {
    verdict: verdictField('verdict by the score'),
    score: field.number('bullish less bearish votes, divided by all votes: -1 to 1', { min: -1, max: 1 }),
    bullish: field.count('bullish votes'),
    bearish: field.count('bearish votes'),
    neutral: field.count('neutral votes'),
  });

export type GroupVerdict = Value<ReturnType<typeof groupVerdictField>>;

export function tallyVotes(votes: readonly Vote[]): GroupVerdict {
  const count = (standing: Standing) => votes.filter(({ vote }) => vote === standing).length;
  const [bullish, bearish, neutral] = [count('bullish'), count('bearish'), count('neutral')];
  const score = (bullish - bearish) / votes.length;
  return { verdict: verdictOf(score), score, bullish, bearish, neutral };
}

/** The verdict of a score between -1 and 1. A score that misses a limit by rounding alone counts as at the limit. */
export function verdictOf(score: number, mayBeStrong = true): TechnicalVerdict {
  const size = Math.abs(score) + 1e-12;
  const strength = size < leaningScore ? 0 : size < strongScore || !mayBeStrong ? 1 : 2;
  return verdicts[2 + Math.sign(score) * strength];
}
