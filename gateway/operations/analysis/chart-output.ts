import Joi from 'joi';
import type { ChartOutput } from './chart.js';
import { stateColors } from './core-line.js';
import { coreLineHead } from './core-line-output.js';
import { count, figure, list, oneOf, seconds, stateField } from '../output-fields.js';

const point = Joi.object<ChartOutput['line'][number], true>({
  time: seconds('open time of the candle'),
  value: figure('in quote currency'),
});

const points = (description: string) => list(point, `${description}; the warm-up is left out`);

const candle = Joi.object<ChartOutput['candles'][number], true>({
  time: seconds('open time'),
  open: figure('first price, in quote currency'),
  high: figure('highest price, in quote currency'),
  low: figure('lowest price, in quote currency'),
  close: figure('last price, in quote currency'),
  volume: figure('what was traded, in units of the asset'),
});

const state = Joi.object<ChartOutput['states'][number], true>({
  time: seconds('open time of the candle'),
  state: stateField('state after the candle'),
  color: oneOf(Object.values(stateColors), 'colour of the state'),
});

/** The shape of a chart as it is answered. */
export const chartOutput = Joi.object<ChartOutput, true>({
  ...coreLineHead,
  missingCandles: count('missing candles in the whole stored history'),
  candles: list(candle, 'oldest first'),
  line: points('the core line, in quote currency'),
  upper: points('upper edge of the band'),
  lower: points('lower edge of the band'),
  states: list(state, 'state after each candle'),
});
