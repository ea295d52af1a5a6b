import { stateColors } from './core-line.js';
import { date, figure, intervalOutput, oneOf, stateField, text } from '../output-fields.js';

/** What every answer about a core line begins with. */
export const coreLineHead = {
  asset: text('asset symbol'),
  tradeMarket: text('quote currency'),
  interval: intervalOutput(),
  state: stateField('state after the last closed candle; null with fewer than 61 candles').allow(null),
  color: oneOf(Object.values(stateColors), 'colour of the state; null where there is none').allow(null),
  since: date('open time of the candle since which the state holds; null without a state').allow(null),
  price: figure('close of the last candle, in quote currency'),
  source: text('market the candles come from'),
  asOf: date('close time of the last candle'),
};
