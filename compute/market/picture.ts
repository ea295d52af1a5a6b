import type { CoreLine } from '../core-line/states.js';
import { firstOfState } from '../core-line/current-state.js';
import { countOf } from '../model/count-of.js';
import { stateName, trendStates, type TrendState } from '../model/core-line.js';
import { field, type Value } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { verdictField, type GroupVerdict, type TechnicalVerdict } from './conflicts.js';

export const pictureField = field.object(
  'how this reading stands to the others of the asset and interval; null with too few candles',
  {
    structure: field.nullable(field.choice('trend state; null with fewer than 61 candles', trendStates)),
    trend: verdictField('verdict of the trend indicators'),
    momentum: verdictField('verdict of the oscillators'),
    summary: verdictField('verdict of all indicators'),
    differs: field.flag(
      'whether two of them point opposite ways, or the state waits while another points somewhere',
    ),
    says: field.text('where each points and why, if they differ; else that they do not'),
  },
);

export type Picture = Value<typeof pictureField>;

/** The structure of a series: its state, for how long, and the strength of its trend. */
export interface Structure {
  state: TrendState | null;
  candles: number;
  adx: number;
}

export function structureOf({ state, adx }: Pick<CoreLine, 'state' | 'adx'>): Structure {
  const last = state.length - 1;
  return { state: stateName(state[last]), candles: last + 1 - firstOfState(state), adx: adx[last] };
}

/** What the other readings are made of. */
interface OtherReadings {
  structure: Structure;
  groups: Record<'trend' | 'momentum', GroupVerdict>;
  verdict: TechnicalVerdict;
  score: number;
}

/** The four readings of one asset side by side; they are said in words where they differ. */
export function pictureOf({ structure, groups, verdict, score }: OtherReadings): Picture {
  const { trend, momentum } = groups;
  const ways = [wayOf(structure.state), wayOf(trend.verdict), wayOf(momentum.verdict), wayOf(verdict)];
  const isOpposed = ways.includes(1) && ways.includes(-1);
  const isWaiting = structure.state === 'wait' && ways.some((way) => way !== 0);
  const differs = isOpposed || isWaiting;
  const parts = [
    ...(structure.state === null ? [] : [`structure: ${structure.state}, because ${whyState(structure)}`]),
    `trend: ${wayWords(trend.verdict)} (${votesFor(trend)})`,
    `momentum: ${wayWords(momentum.verdict)} (${votesFor(momentum)})`,
    `summary: ${verdict} (score ${formatNumber(score, 2)})`,
  ];
  return {
    structure: structure.state,
    trend: trend.verdict,
    momentum: momentum.verdict,
    summary: verdict,
    differs,
    says: differs ? parts.join('; ') : 'no two readings point opposite ways',
  };
}

/** Where readings point and why, if they differ. */
export const differenceOf = (picture: Picture | null): string | null =>
  picture?.differs ? picture.says : null;

/** The end of a headline where readings differ. */
export const differenceWords = (picture: Picture | null): string =>
  picture?.differs ? ` Readings differ: ${picture.says}.` : '';

/** The side that a state or verdict takes: 1 up, -1 down, 0 neither. */
export function wayOf(reading: TrendState | TechnicalVerdict | null): -1 | 0 | 1 {
  if (reading === null) return 0;
  if (reading === 'accumulate' || reading.endsWith('bullish')) return 1;
  return reading === 'distribute' || reading.endsWith('bearish') ? -1 : 0;
}

const wayWords = (verdict: TechnicalVerdict): string =>
  ({ 1: 'up', 0: 'no side', [-1]: 'down' })[wayOf(verdict)];

function whyState({ state, candles, adx }: Structure): string {
  const held = `for ${countOf(candles, 'candle')}`;
  const strength = `ADX ${formatNumber(adx, 3)}`;
  if (state === 'wait') return `neither side was confirmed ${held} (${strength})`;
  return `nothing has ended it ${held} (${strength})`;
}

const votesFor = ({ verdict, bullish, bearish, neutral }: GroupVerdict): string => {
  const all = bullish + bearish + neutral;
  if (wayOf(verdict) === 0) return `${bullish} up and ${bearish} down of ${all} indicators`;
  return `${wayOf(verdict) > 0 ? bullish : bearish} of ${all} indicators`;
};
