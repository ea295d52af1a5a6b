import Joi from 'joi';
import { beyondEntryFaults } from './command-values.js';
import { defineSignalCommand, type SignalIdField } from './define-signal-command.js';
import { signalIdInput } from './signal-id.js';
import { factor, price } from './signal-values.js';

interface DcaFields extends SignalIdField {
  buy_price: string;
  multiplier: string;
}

const largestMultiplier = 100;

/** Adds a price at which the original investment times a multiplier is bought. */
export const addDca = defineSignalCommand<DcaFields>({
  id: 'add-dca',
  summary:
    'Adds a price beyond the entry at which the original investment times a multiplier is bought, once.',
  input: Joi.object<DcaFields>({
    parent_signal_id: signalIdInput,
    buy_price: price('price of the purchase').required().example('95'),
    multiplier: factor(`of the original investment; at most ${largestMultiplier}`, largestMultiplier)
      .required()
      .example(1.5),
  }),
  faults: ({ buy_price: at }, signal) => beyondEntryFaults('buy_price', at, signal),
  effect: ({ buy_price: at, multiplier }, _signal, number) => ({
    event: { type: 'dca', id: `dca-${number}`, price: at, multiplier },
    cause: `the partner adds a DCA level at ${at}, ${multiplier} times the original investment`,
  }),
});
