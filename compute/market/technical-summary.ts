import { defineAnalysis } from '../analysis.js';
import { computeCoreLine, type CoreLine } from '../core-line/states.js';
import { countOf } from '../model/count-of.js';
import { field, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { trendStrengths, volumeLabels } from '../model/risk-assessment.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import {
  conflictField,
  findConflicts,
  groupVerdictField,
  tallyVotes,
  verdictField,
  verdictOf,
  type GroupVerdict,
} from './conflicts.js';
import { isStill, stillCandles } from './is-still.js';
import { reportMomentum } from './momentum.js';
import { differenceWords, pictureField, pictureOf, structureOf, type Picture } from './picture.js';
import { readAt, readAtFields } from './read-at.js';
import { regimes } from './regimes.js';
import { requireCandles } from './require-candles.js';
import { reportTrend, trendCandles } from './trend.js';
import { reportVolatility } from './volatility.js';
import { reportVolume } from './volume.js';
import {
  castVotes,
  voteField,
  voteGroups,
  type TechnicalReadings,
  type Vote,
  type VoteGroup,
} from './votes.js';

/** The closed candles that the summary needs. */
const summaryCandles = trendCandles;

/** The weight of each group in the score. Volatility says least about direction. */
const weights: Record<VoteGroup, number> = { trend: 0.4, momentum: 0.3, volatility: 0.1, volume: 0.2 };

const summaryFields = {
  ...readAtFields,
  verdict: verdictField('verdict by the score; strong only where the trend points the same way'),
  score: field.number(
    'weighted mean of the scores of the groups, -1 (all bearish) to 1: trend 0.4, momentum 0.3, volume 0.2, volatility 0.1',
    { min: -1, max: 1 },
  ),
  groups: field.object('verdict of each group', {
    trend: groupVerdictField('votes of the trend indicators'),
    momentum: groupVerdictField('votes of the oscillators'),
    volatility: groupVerdictField('votes of the bands'),
    volume: groupVerdictField('votes of the volume indicators'),
  }),
  votes: field.list('one for each indicator', voteField),
  conflicts: field.list('readings that contradict each other', conflictField),
  conditions: field.object('readings without a direction, which say how far to trust one', {
    trendStrength: field.choice('strength of the trend by ADX(14)', trendStrengths),
    volatility: field.nullable(field.choice('volatility regime; null before 100 candles', regimes)),
    squeeze: field.flag('whether both Bollinger bands lie within the Keltner channel'),
    volume: field.choice('volume of the last candle against the 20 before', volumeLabels),
  }),
};

export type TechnicalSummary = Values<typeof summaryFields>;

export const technicalSummary = defineAnalysis({
  name: 'technical-summary',
  title: 'Technical summary',
  summary:
    'Votes of the trend, momentum, volatility and volume indicators of an asset, an overall verdict, and the conflicts between them.',
  needs: 'series',
  params: {},
  output: field.object('votes, verdict and conflicts', { ...summaryFields, picture: pictureField }),
  scope: 'public',
  tool: {
    name: 'get_technical_summary',
    headline: ({ asset, interval, verdict, score, conflicts, picture }) =>
      `${asset} on ${interval} is ${verdict} (score ${formatNumber(score, 2)}), with ${countOf(conflicts.length, 'conflict')} between indicators.${differenceWords(picture)}`,
  },
  cost: 2,
  run(question, scratch) {
    const summary = summariseTechnicals(question, scratch);
    return {
      ...summary,
      picture: pictureOf({ ...summary, structure: structureOf(computeCoreLine(question.candles, scratch)) }),
    };
  },
});

/**
 * The verdict of the trend, momentum, volatility and volume indicators, and their conflicts. A price that has not moved
 * for 14 candles gets neutral votes only. Throws `not_enough_history`.
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

/** How the readings of one series stand to each other. Throws `not_enough_history`. */
export const readPicture = (
  question: SeriesQuestion,
  scratch = new ScratchBuffers(),
  coreLine: CoreLine = computeCoreLine(question.candles, scratch),
): Picture => pictureOf({ ...summariseTechnicals(question, scratch), structure: structureOf(coreLine) });

const withdraw = (vote: Vote): Vote => ({
  ...vote,
  vote: 'neutral',
  reason: `price has not moved for ${stillCandles} candles`,
});
