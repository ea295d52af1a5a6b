import Joi from 'joi';
import { trailingFaults, trailingTerms } from './command-values.js';
import { defineSignalCommand, type SignalIdField } from './define-signal-command.js';
import { signalIdInput } from './signal-id.js';
import { price } from './signal-values.js';

interface TrailingStopFields extends SignalIdField {
  trailing_stop_price: string;
  trailing_stop_limit_price: string;
}

/** Sets a stop that follows the price and never moves back. */
export const addTrailingStop = defineSignalCommand<TrailingStopFields>({
  id: 'add-trailing-stop',
  summary:
    'Sets a stop that follows the price at the distance it has now, and never moves back. What would protect less than the stop before stays.',
  input: Joi.object<TrailingStopFields>({
    parent_signal_id: signalIdInput,
    trailing_stop_price: price('price at which it sells').required().example('95'),
    trailing_stop_limit_price: price('worst price at which it sells').required().example('94'),
  }),
  faults: trailingFaults,
  effect: (fields) => ({
    event: { type: 'trailing_stop', stop: trailingTerms(fields)! },
    cause: `the partner sets a trailing stop at ${fields.trailing_stop_price}`,
  }),
});
