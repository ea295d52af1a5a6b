import { defineAnalysis } from '../analysis.js';
import { readAt, readAtFields } from '../market/read-at.js';
import { requireCandles } from '../market/require-candles.js';
import { proportionInterval } from '../metrics/mean-interval.js';
import {
  flipStatisticsFields,
  forwardReturnFields,
  stateName,
  type ForwardReturn,
  type TrendState,
} from '../model/core-line.js';
import { field, type Value } from '../model/field.js';
import { nullReasonOf } from '../model/null-reason.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { flipIndexes, withoutOverlap, flipStatistics } from './core-line-tasks.js';
import { coreLineParams } from './rule.js';
import { computeCoreLine } from './states.js';

const percent = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));

const flipStatisticsOutput = field.object('how transitions turned out', {
  ...readAtFields,
  flips: field.count('transitions in the whole history'),
  ...flipStatisticsFields,
  forwardReturns: field.list(
    'what the price did after each kind of transition',
    field.object('a kind of transition and a horizon', {
      ...forwardReturnFields,
      hitRatePercent: percent(
        'share of cases in which the price moved to the side of the new state: up after accumulate, down after distribute; null after wait, which has no side',
      ),
      hitRateLowPercent: percent('lower end of its 95 % interval (Wilson)'),
      hitRateHighPercent: percent('upper end of it'),
      hitRateReason: nullReasonOf('the hit rate'),
    }),
  ),
});

export type FlipStatisticsReading = Value<typeof flipStatisticsOutput>;

export const flipStatisticsAnalysis = defineAnalysis({
  name: 'flip-statistics',
  title: 'Flip statistics',
  summary:
    'How past transitions of the trend state turned out: how long states lasted, and returns 5, 10, 20 and 60 candles later with hit rates.',
  needs: 'series',
  params: {},
  output: flipStatisticsOutput,
  scope: 'public',
  tool: {
    name: 'get_flip_statistics',
    headline: ({ asset, interval, flips, candles }) =>
      `${flips} state transitions of ${asset} in ${candles} ${interval} candles; a hit is a move to the side of the new state.`,
  },
  cost: 1,
  run: (question, scratch) => readFlipStatistics(question, scratch),
});

/** Throws `not_enough_history` with fewer candles than a state needs. */
function readFlipStatistics(question: SeriesQuestion, scratch?: ScratchBuffers): FlipStatisticsReading {
  requireCandles('a flip statistic', question, coreLineParams.readyIndex + 1);
  const { close } = question.candles;
  const { state } = computeCoreLine(question.candles, scratch);
  const { durations, forwardReturns, method } = flipStatistics(close, state);
  return {
    ...readAt(question),
    flips: flipIndexes(state).length,
    durations,
    forwardReturns: forwardReturns.map((each) => ({ ...each, ...hitRateOf(each, close, state) })),
    method: `${method}; hit rates: Wilson's interval over the same cases`,
  };
}

/** The side to which a state expects the price to move. */
const sideOf: Readonly<Record<TrendState, number>> = { accumulate: 1, wait: 0, distribute: -1 };

function hitRateOf({ from, to, candles }: ForwardReturn, close: Float64Array, state: Int8Array) {
  const side = sideOf[to];
  const seen = flipIndexes(state).filter(
    (at) => stateName(state[at - 1]) === from && stateName(state[at]) === to && at + candles < close.length,
  );
  const cases = withoutOverlap(seen, candles);
  const hits = cases.filter((at) => (close[at + candles] - close[at]) * side > 0).length;
  const { share, low, high, reason } = proportionInterval(hits, side === 0 ? 0 : cases.length);
  const percentOf = (value: number | null) => (value === null ? null : value * 100);
  return {
    hitRatePercent: percentOf(share),
    hitRateLowPercent: percentOf(low),
    hitRateHighPercent: percentOf(high),
    hitRateReason: side === 0 ? 'the state wait has no side' : reason,
  };
}
