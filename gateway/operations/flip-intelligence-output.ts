import Joi from 'joi';
import {
  conditionNames,
  type Condition,
  type FlipPrice,
  type FlipStatistics,
  type FlipTarget,
  type ForwardReturn,
  type NextClose,
} from '../../compute/model/core-line.js';
import { coreLineHead } from './core-line-output.js';
import type { FlipsOutput } from './flip-intelligence.js';
import { count, date, figure, figureOrNull, stateField, text } from './output-fields.js';

type Flip = FlipsOutput['flips'][number];

const nextClose = (description: string) =>
  Joi.object<NextClose, true>({
    close: figure('in quote currency'),
    percent: figure('distance from the last close in percent; below 0 where it is lower'),
    atr: figureOrNull('distance in ATR of the last candle; null where price has not moved'),
  })
    .allow(null)
    .required()
    .description(description);

const target = Joi.object<FlipTarget, true>({
  to: stateField(),
  nearest: nextClose('nearest close of the next candle that brings the state; null: no close does'),
  candlesNeeded: count('least number of candles the turn takes'),
  agreeing: nextClose('nearest close that makes the next candle one of those that must agree'),
});

const flipPrice = Joi.object<FlipPrice, true>({
  assumption: text('how the next candle stands but for its close'),
  unmoved: stateField('state after a candle that closes where the last one did'),
  stays: nextClose('nearest close that keeps the state; null: none does'),
  targets: Joi.array().items(target).required().description('the two other states'),
});

const sample = {
  count: count(),
  mean: figureOrNull(),
  median: figureOrNull(),
  low: figureOrNull('lower end of the 95 % confidence interval of the mean'),
  high: figureOrNull('upper end of it'),
};

const statistics = Joi.object<FlipStatistics, true>({
  durations: Joi.array()
    .items(Joi.object<FlipStatistics['durations'][number], true>({ state: stateField(), ...sample }))
    .required()
    .description('how long states lasted, in candles'),
  forwardReturns: Joi.array()
    .items(
      Joi.object<ForwardReturn, true>({
        from: stateField(),
        to: stateField(),
        candles: count('candles after the flip'),
        ...sample,
      }),
    )
    .required()
    .description('what the price did after flips, in percent'),
});

const condition = Joi.object<Condition, true>({
  name: Joi.string()
    .valid(...conditionNames)
    .required(),
  asks: text('what the condition asks, in words'),
  held: Joi.boolean().required(),
  value: figure(),
  threshold: figure(),
});

const outcome = Joi.object<Flip['outcome'], true>({
  until: date('open time of the next flip; null where there was none yet').allow(null),
  candles: count(),
  close: figure(),
  change: figure('percent'),
  highest: figure('highest price meanwhile, in quote currency'),
  lowest: figure('lowest price meanwhile, in quote currency'),
});

const flip = Joi.object<Flip, true>({
  date: date('open time of the candle on whose close the state changed'),
  from: stateField(),
  to: stateField(),
  close: figure('in quote currency'),
  conditions: Joi.array().items(condition).required(),
  explanation: text(),
  outcome: outcome.required(),
});

/** The shape of flip intelligence as it is answered. */
export const flipsOutput = Joi.object<FlipsOutput, true>({
  ...coreLineHead,
  flipPrice: flipPrice.allow(null).required().description('closes of the next candle that change the state'),
  statistics: statistics.required(),
  flips: Joi.array().items(flip).required().description('newest first'),
});
