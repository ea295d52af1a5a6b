import { defineAnalysis } from '../analysis.js';
import { stateCode, stateColors, stateFields, trendStates, type TrendState } from '../model/core-line.js';
import { field, type Value } from '../model/field.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { formatNumber } from '../model/format-number.js';
import { intervals } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { pictureField } from '../market/picture.js';
import { readPicture } from '../market/technical-summary.js';
import type { IntervalsQuestion } from '../task.js';
import { stateOrNone, whyNoState } from './current-state.js';
import { coreLineParams } from './rule.js';
import { computeCoreLine } from './states.js';

export const agreementField = field.object('how far the states of an asset on several intervals agree', {
  score: field.nullable(
    field.number(
      'mean of the known states, -1 (all distribute) to 1 (all accumulate); null where none is known',
    ),
  ),
  known: field.count('intervals with a known state'),
  aligned: field.count('intervals that have the commonest state'),
  majority: field.nullable(field.choice('commonest state; null where two are equally common', trendStates)),
  conflict: field.flag('whether one interval accumulates while another distributes'),
});

export type Agreement = Value<typeof agreementField>;

/** The agreement of states with equal weights; null stands for an unknown state. */
export function agreement(states: readonly (TrendState | null)[]): Agreement {
  const known = states.filter((state) => state !== null);
  const sum = known.reduce((total, state) => total + stateCode[state], 0);
  const count = (name: TrendState) => known.filter((state) => state === name).length;
  const names: TrendState[] = ['accumulate', 'wait', 'distribute'];
  const aligned = Math.max(...names.map(count));
  const commonest = names.filter((name) => count(name) === aligned);
  return {
    score: known.length > 0 ? sum / known.length : null,
    known: known.length,
    aligned,
    majority: commonest.length === 1 ? commonest[0] : null,
    conflict: count('accumulate') > 0 && count('distribute') > 0,
  };
}

const intervalState = field.object('the trend state on one interval', {
  interval: field.choice('length of a candle', intervals),
  ...stateFields,
  color: field.nullable(
    field.choice('colour that charts show the state in; null without a state', Object.values(stateColors)),
  ),
  picture: field.nullable(pictureField),
  atr: field.nullable(field.number('average true range; null before its warm-up', { unit: 'quote' })),
  reason: nullReason,
});

export type IntervalState = Value<typeof intervalState>;

const trendStatesOutput = field.object('the trend state on every interval', {
  intervals: field.list('one for each interval, the shortest first', intervalState),
  agreement: agreementField,
});

export type TrendStates = Value<typeof trendStatesOutput>;

export const trendStateAnalysis = defineAnalysis({
  name: 'trend-state',
  title: 'Trend state',
  summary:
    'The trend state of an asset on every interval, since when it holds, and how far the intervals agree.',
  needs: 'intervals',
  params: {},
  output: trendStatesOutput,
  scope: 'public',
  tool: {
    name: 'get_trend_state',
    headline: ({ asset, intervals, agreement }) =>
      `${asset}: ${intervals.map(({ interval, state }) => `${state ?? 'no state'} on ${interval}`).join(', ')}; agreement ${agreement.score === null ? 'unknown' : formatNumber(agreement.score, 2)}.${intervals.map(pictureWords).join('')}`,
  },
  cost: 1,
  run: ({ series }, scratch) => readTrendStates(series, scratch),
});

/** The trend states of one asset, each after the last closed candle of its interval. */
export function readTrendStates(
  series: IntervalsQuestion['series'],
  scratch = new ScratchBuffers(),
): TrendStates {
  const intervals = series.map((each) => scratch.within(() => stateOn(each, scratch)));
  return { intervals, agreement: agreement(intervals.map(({ state }) => state)) };
}

const pictureWords = ({ interval, picture }: IntervalState): string =>
  picture?.differs ? ` On ${interval} readings differ: ${picture.says}.` : '';

function stateOn(
  { interval, candles }: IntervalsQuestion['series'][number],
  scratch: ScratchBuffers,
): IntervalState {
  const coreLine = computeCoreLine(candles, scratch);
  const { state, atr } = coreLine;
  const last = state.length - 1;
  const now = stateOrNone(candles, state, interval);
  const hasRange = last >= coreLineParams.atrPeriod;
  return {
    interval,
    ...now,
    color: now.state && stateColors[now.state],
    picture:
      now.state && scratch.within(() => readPicture({ candles, interval, params: {} }, scratch, coreLine)),
    atr: hasRange ? atr[last] : null,
    reason: reasonsOf(
      whyNoState(state.length),
      !hasRange && `the ATR needs ${coreLineParams.atrPeriod + 1} candles, found ${state.length}`,
    ),
  };
}
