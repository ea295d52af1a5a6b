import Joi from 'joi';
import {
  beyondEntryFaults,
  halfStopFaults,
  trailingFaults,
  trailingTerms,
  type TrailingFields,
} from './command-values.js';
import { defineSignalCommand, type SignalIdField } from './define-signal-command.js';
import { chainFaults } from './draft-faults.js';
import { signalIdInput } from './signal-id.js';
import { percent, price } from './signal-values.js';

interface RebuyFields extends SignalIdField, TrailingFields {
  buy_price_min: string;
  buy_price_max: string;
  invest?: string;
}

/** Adds a zone in which the position is enlarged. */
export const addRebuy = defineSignalCommand<RebuyFields>({
  id: 'add-rebuy',
  summary: 'Adds a zone beyond the entry in which the position is enlarged.',
  input: Joi.object<RebuyFields>({
    parent_signal_id: signalIdInput,
    buy_price_min: price('lower end of the zone').required().example('90'),
    buy_price_max: price('upper end of the zone').required().example('95'),
    invest: percent('percent of the balance of each subscriber; without it, as much as the entry').example(5),
    trailing_stop_price: price('trailing stop of the combined position').example('85'),
    trailing_stop_limit_price: price('worst price of that stop; required with trailing_stop_price').example(
      '84',
    ),
  }),
  faults: (fields, signal) => [
    ...halfStopFaults(fields),
    ...chainFaults(
      (['buy_price_min', 'buy_price_max'] as const).map((field) => ({ field, price: fields[field] })),
      'at or above',
    ),
    ...(signal.terms.side === 'long'
      ? beyondEntryFaults('buy_price_max', fields.buy_price_max, signal)
      : beyondEntryFaults('buy_price_min', fields.buy_price_min, signal)),
    ...trailingFaults(fields, signal),
  ],
  effect: (fields, _signal, number) => ({
    event: {
      type: 'rebuy',
      id: `rebuy-${number}`,
      min: fields.buy_price_min,
      max: fields.buy_price_max,
      investPercent: fields.invest ?? null,
      stop: trailingTerms(fields),
    },
    cause: `the partner adds a rebuy zone from ${fields.buy_price_min} to ${fields.buy_price_max}`,
  }),
});
