import Joi from 'joi';
import { defineSignalCommand, type SignalIdField } from './define-signal-command.js';
import { signalIdInput } from './signal-id.js';

/** Withdraws all orders of a signal and closes its positions. A second cancel answers the same. */
export const cancelSignal = defineSignalCommand<SignalIdField>({
  id: 'cancel-signal',
  summary: 'Withdraws all orders of the signal and closes its positions at market; may be repeated.',
  input: Joi.object<SignalIdField, true>({ parent_signal_id: signalIdInput }),
  isRepeatable: true,
  effect: () => ({ event: { type: 'cancel' }, cause: 'the partner cancelled the signal' }),
});
