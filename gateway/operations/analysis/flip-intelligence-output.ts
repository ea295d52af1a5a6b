import Joi from 'joi';
import {
  conditionNames,
  type Condition,
  type FlipPrice,
  type FlipStatistics,
  type FlipTarget,
  type ForwardReturn,
  type NextClose,
} from '../../../compute/model/core-line.js';
import { coreLineHead } from './core-line-output.js';
import type { FlipsOutput } from './flip-intelligence.js';
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
} from '../output-fields.js';

type Flip = FlipsOutput['flips'][number];

const nextClose = (description: string) =>
  objectField<NextClose>(
    {
      close: figure('in quote currency'),
      percent: figure('distance from the last close in percent; below 0 where it is lower'),
      atr: figureOrNull('distance in ATR of the last candle; null where price has not moved'),
    },
    description,
  ).allow(null);

const target = Joi.object<FlipTarget, true>({
  to: stateField('state that is turned to'),
  nearest: nextClose('nearest close of the next candle that brings the state; null: no close does'),
  candlesNeeded: count('least number of candles the turn takes'),
  agreeing: nextClose(
    'nearest close that makes the next candle one of those that must agree; null: none does, or none is asked for',
  ),
});

const flipPrice = objectField<FlipPrice>(
  {
    assumption: text('how the next candle stands but for its close'),
    unmoved: stateField('state after a candle that closes where the last one did'),
    stays: nextClose('nearest close that keeps the state; null: none does'),
    targets: list(target, 'the two other states'),
  },
  'closes of the next candle that change the state',
).allow(null);

/** Statistics of a sample in one unit; without enough of it they are null. */
const sample = (unit: string) => ({
  count: count('how many there were'),
  mean: figureOrNull(`mean, in ${unit}; null of none`),
  median: figureOrNull(`median, in ${unit}; null of none`),
  low: figureOrNull(`lower end of the 95 % confidence interval of the mean, in ${unit}; null of too few`),
  high: figureOrNull(`upper end of it, in ${unit}`),
});

const duration = Joi.object<FlipStatistics['durations'][number], true>({
  state: stateField('state that lasted'),
  ...sample('candles'),
});

const forwardReturn = Joi.object<ForwardReturn, true>({
  from: stateField('state before the flip'),
  to: stateField('state after it'),
  candles: count('candles after the flip'),
  ...sample('percent'),
});

const statistics = objectField<FlipStatistics>(
  {
    durations: list(duration, 'how long states lasted, in candles'),
    forwardReturns: list(forwardReturn, 'what the price did after flips, in percent'),
  },
  'what states and flips brought over the whole history',
);

const condition = Joi.object<Condition, true>({
  name: oneOf(conditionNames, 'name of the condition'),
  asks: text('what the condition asks, in words'),
  held: flag('whether it held'),
  value: figure('what was read'),
  threshold: figure('what it was compared with, in the same unit'),
});

const outcome = objectField<Flip['outcome']>(
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

const flip = Joi.object<Flip, true>({
  date: date('open time of the candle on whose close the state changed'),
  from: stateField('state before'),
  to: stateField('state after'),
  close: figure('close of that candle, in quote currency'),
  conditions: list(condition, 'the conditions of the rule on that candle'),
  explanation: text('why the state changed, in words'),
  outcome,
});

/** The shape of flip intelligence as it is answered. */
export const flipsOutput = Joi.object<FlipsOutput, true>({
  ...coreLineHead,
  flipPrice,
  statistics,
  flips: list(flip, 'newest first'),
});
