import { field, type Value } from '../model/field.js';
import type { TechnicalReadings, VoteGroup, Vote } from './votes.js';
import type { Standing } from '../model/standing.js';

const verdicts = ['strongly bearish', 'bearish', 'neutral', 'bullish', 'strongly bullish'] as const;

export type TechnicalVerdict = (typeof verdicts)[number];

/** A verdict leans to a side from `leaningScore` on and is strong from `strongScore` on. */
const leaningScore = 0.2;
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

export const conflictField = field.object('two readings that contradict each other', {
  name: field.text('name of the conflict'),
  between: field.list('the two groups or indicators', field.text('name'), { min: 2, max: 2 }),
  says: field.text('the conflict in words'),
});

export type Conflict = Value<typeof conflictField>;

const pairs: readonly (readonly [VoteGroup, VoteGroup])[] = [
  ['trend', 'momentum'],
  ['trend', 'volume'],
  ['momentum', 'volume'],
];

/** Groups that point in opposite directions, and readings that cast doubt on the trend. */
export function findConflicts(
  readings: TechnicalReadings,
  groups: Readonly<Record<VoteGroup, GroupVerdict>>,
): Conflict[] {
  const opposed = pairs
    .filter(([one, other]) => sideOf(groups[one].score) * sideOf(groups[other].score) < 0)
    .map(([one, other]): Conflict => {
      const way = (group: VoteGroup) => (groups[group].score > 0 ? 'up' : 'down');
      const says = `${one} points ${way(one)} and ${other} points ${way(other)}`;
      return { name: `${one}_against_${other}`, between: [one, other], says };
    });
  return [...opposed, ...doubts(readings, sideOf(groups.trend.score))];
}

/** The side of a score: 0 where its verdict is neutral. */
const sideOf = (score: number): -1 | 0 | 1 => (score >= leaningScore ? 1 : score <= -leaningScore ? -1 : 0);

/** What speaks against the side of the trend, or against a trend at all. */
function doubts({ trend, momentum, volume, volatility }: TechnicalReadings, side: -1 | 0 | 1): Conflict[] {
  const { rsi, macd, stochastic, cci } = momentum;
  const late = side > 0 ? 'overbought' : 'oversold';
  const lateCount = [rsi, macd, stochastic, cci].filter(({ zone }) => zone === late).length;
  const { longTerm } = trend.movingAverages;
  const shortTerm = trend.supertrend.value === 'up' ? 'bullish' : 'bearish';
  const direction = side > 0 ? 'up' : 'down';
  const found: (Conflict | false)[] = [
    side !== 0 &&
      lateCount >= 2 && {
        name: `trend_${late}`,
        between: ['trend', 'momentum'],
        says: `the trend points ${direction} and ${lateCount} of 4 oscillators are ${late}`,
      },
    side !== 0 &&
      trend.adx.value < 20 && {
        name: 'trend_without_strength',
        between: ['trend', 'adx'],
        says: `the trend points ${direction} and ADX is weak: price may go sideways`,
      },
    longTerm !== null &&
      longTerm !== 'neutral' &&
      longTerm !== shortTerm && {
        name: 'short_against_long_term',
        between: ['supertrend', 'sma_50_200'],
        says: `Supertrend is ${shortTerm}, the 50 against the 200 ${longTerm}`,
      },
    volume.obv.agreement === 'contradicts' && {
      name: 'volume_against_price',
      between: ['obv', 'price'],
      says: `price is ${volume.obv.priceDirection} and on balance volume ${volume.obv.direction}`,
    },
    side !== 0 &&
      volatility.squeeze.on && {
        name: 'trend_in_squeeze',
        between: ['trend', 'squeeze'],
        says: `the trend points ${direction} within a squeeze, which may break either way`,
      },
  ];
  return found.filter((conflict) => conflict !== false);
}
