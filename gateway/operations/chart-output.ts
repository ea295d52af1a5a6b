import Joi from 'joi';
import type { ChartOutput } from './chart.js';
import { stateColors } from './core-line.js';
import { coreLineHead } from './core-line-output.js';
import { count, figure, seconds, stateField } from './output-fields.js';

const points = (description: string) =>
  Joi.array()
    .items(Joi.object<ChartOutput['line'][number], true>({ time: seconds(), value: figure() }))
    .required()
    .description(`${description}; the warm-up is left out`);

const candle = Joi.object<ChartOutput['candles'][number], true>({
  time: seconds(),
  open: figure(),
  high: figure(),
  low: figure(),
  close: figure(),
  volume: figure('in units of the asset'),
});

const state = Joi.object<ChartOutput['states'][number], true>({
  time: seconds(),
  state: stateField(),
  color: Joi.string()
    .valid(...Object.values(stateColors))
    .required(),
});

/** The shape of a chart as it is answered. */
export const chartOutput = Joi.object<ChartOutput, true>({
  ...coreLineHead,
  missingCandles: count('missing candles in the whole stored history'),
  candles: Joi.array().items(candle).required().description('oldest first'),
  line: points('the core line, in quote currency'),
  upper: points('upper edge of the band'),
  lower: points('lower edge of the band'),
  states: Joi.array().items(state).required().description('state after each candle'),
});
