import Joi from 'joi';
import { intervals } from '../../compute/model/interval.js';
import { stateColors } from './core-line.js';
import { date, figure, stateField, text } from './output-fields.js';

/** What every answer about a core line begins with. */
export const coreLineHead = {
  asset: text('asset symbol'),
  tradeMarket: text('quote currency'),
  interval: Joi.string()
    .valid(...intervals)
    .required(),
  state: stateField('state after the last closed candle; null with fewer than 61 candles').allow(null),
  color: Joi.string()
    .valid(...Object.values(stateColors))
    .allow(null)
    .required(),
  since: date('open time of the candle since which the state holds').allow(null),
  price: figure('close of the last candle, in quote currency'),
  source: text('market the candles come from'),
  asOf: date('close time of the last candle'),
};
