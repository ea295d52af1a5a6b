import { seriesFields } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { viewLimits, conditionNames } from '../../../compute/model/core-line.js';
import { defineOperation } from '../../operation.js';
import { headOf, readCoreLine, coreLineHead } from './core-line.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { findSeries, secondsToNextClose } from './series-input.js';
import {
  count,
  date,
  figure,
  figureOrNull,
  flag,
  list,
  objectField,
  oneOf,
  stateField,
  text,
  answerOf,
} from '../output-fields.js';

const nextClose = (description: string) =>
  objectField(
    {
      close: figure('in quote currency'),
      percent: figure('distance from the last close in percent; below 0 where it is lower'),
      atr: figureOrNull('distance in ATR of the last candle; null where price has not moved'),
      lowest: figureOrNull('lowest close of the range around it that does the same; null: no lower limit'),
      highest: figureOrNull('highest close of that range; null: no upper limit'),
    },
    description,
  ).allow(null);

const target = answerOf({
  to: stateField('new state'),
  nearest: nextClose('nearest close of the next candle that brings the state; null: no close does'),
  candlesNeeded: count('fewest candles until the state can change'),
  agreeing: nextClose(
    'nearest close that makes the next candle agree with the new state; null: no close does, or the state needs no agreement',
  ),
});

const flipPrice = objectField(
  {
    assumption: text('what is assumed of the next candle besides its close'),
    unmoved: stateField('state after a candle that closes where the last one did'),
    stays: nextClose('nearest close that keeps the state; null: none does'),
    targets: list(target, 'the two other states'),
  },
  'closes of the next candle that change the state',
).allow(null);

/** Statistics of a sample in one unit; they are null where the sample is too small. */
const sample = (unit: string) => ({
  count: count('how many there were'),
  mean: figureOrNull(`mean, in ${unit}; null if there were none`),
  median: figureOrNull(`median, in ${unit}; null if there were none`),
  low: figureOrNull(
    `lower end of the 95 % confidence interval of the mean, in ${unit}; null if there were too few`,
  ),
  high: figureOrNull(`upper end of that interval, in ${unit}`),
  reason: text('why figures are null; null if no figure is').allow(null),
});

const duration = answerOf({
  state: stateField('state that lasted'),
  ...sample('candles'),
});

const forwardReturn = answerOf({
  from: stateField('state before the flip'),
  to: stateField('state after it'),
  candles: count('candles after the flip'),
  seen: count('flips that so many candles follow; those whose returns overlap an earlier one do not count'),
  ...sample('percent'),
});

const statistics = objectField(
  {
    durations: list(duration, 'how long states lasted, in candles'),
    forwardReturns: list(forwardReturn, 'what the price did after flips, in percent'),
    method: text('how the intervals are made'),
  },
  'what states and flips brought over the whole history',
);

const condition = answerOf({
  name: oneOf(conditionNames, 'name of the condition'),
  asks: text('what the condition asks, in words'),
  held: flag('whether it held'),
  value: figure('what was read'),
  threshold: figure('what it was compared with, in the same unit'),
});

const outcome = objectField(
  {
    until: date('open time of the next flip; null where there was none yet').allow(null),
    candles: count('candles from the flip to there'),
    close: figure('close there, in quote currency'),
    change: figure('change of the price in percent'),
    highest: figure('highest price meanwhile, in quote currency'),
    lowest: figure('lowest price meanwhile, in quote currency'),
  },
  'what the price did until the next flip, or until now',
);

const flip = answerOf({
  date: date('open time of the candle on whose close the state changed'),
  from: stateField('state before'),
  to: stateField('state after'),
  close: figure('close of that candle, in quote currency'),
  conditions: list(condition, 'the conditions of the rule on that candle'),
  explanation: text('why the state changed, in words'),
  outcome,
});

const flipsOutput = answerOf({
  ...coreLineHead,
  flipPrice,
  statistics,
  flips: list(flip, 'newest first'),
});

export const flipIntelligence = defineOperation({
  id: 'flip-intelligence',
  summary:
    'The latest changes of trend state of an asset: why each came about, and what the price did after it.',
  hasEtag: true,
  input: objectSchema({
    ...seriesFields,
    limit: field.integer('most recent flips', { min: 1, max: viewLimits.flips, default: 20 }),
  }),
  output: flipsOutput,
  errors: ['market_filling'],
  async handle(input, deps, caller) {
    const series = await findSeries(input, deps);
    const { view } = await readCoreLine(series, () => deps.storage.coreLines.flips(series), deps, caller);
    return {
      payload: {
        ...headOf(input, series, view),
        flipPrice: view.flipPrice,
        statistics: view.statistics,
        flips: view.flips.slice(0, input.limit).map(({ time, outcome, ...flip }) => ({
          date: utcTime(time),
          ...flip,
          outcome: { ...outcome, until: outcome.until === null ? null : utcTime(outcome.until) },
        })),
      },
      ttl: secondsToNextClose(series),
      etag: `${series.digest.slice(0, 32)}-${input.limit}`,
    };
  },
});
