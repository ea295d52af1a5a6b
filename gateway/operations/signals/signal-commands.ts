import Joi from 'joi';
import {
  beyondEntryFaults,
  halfStopFaults,
  trailingFaults,
  trailingTerms,
  type TrailingFields,
} from './add-take-profit.js';
import { defineSignalCommand, type SignalIdField } from './define-signal-command.js';
import { signalIdInput } from './signal-id.js';
import { factor, price, percent } from './signal-values.js';
import { chainFaults } from './draft-faults.js';
import { defineOperation } from '../../operation.js';
import { unknownFollowedSignal } from './followed-fields.js';
import { getFollowedSignal } from './followed-signals.js';

/** Withdraws the user's orders of one signal, and closes what was bought for it. Twice is once; others are not touched. */
export const closeSignal = defineOperation({
  id: 'close-signal',
  summary:
    'Withdraws your orders of one signal and closes at market what it bought; answers with its execution, whose events tell the rest.',
  scope: 'user',
  // It has to work however many points are spent.
  cost: 0,
  input: Joi.object<{ parent_signal_id: string; exchange?: string }>({
    parent_signal_id: Joi.string().max(100).required().description('id of the signal'),
    exchange: Joi.string().max(40).description('only if it is executed on this exchange').example('PAPER'),
  }),
  output: getFollowedSignal.output,
  errors: ['unknown_signal'],
  async handle({ parent_signal_id, exchange }, deps, caller) {
    if (exchange !== undefined) deps.exchanges.exchanges.requireName(exchange);
    const { userId } = caller.user!;
    const execution = await deps.storage.executionReads.find(userId, parent_signal_id);
    if (!execution || (exchange !== undefined && execution.exchange !== exchange))
      throw unknownFollowedSignal(parent_signal_id);
    await deps.storage.executionReads.wishClose({ userId, signalId: parent_signal_id });
    return getFollowedSignal.handle({ parent_signal_id }, deps, caller);
  },
});

/** Withdraws all orders of a signal and closes its positions. A second cancel answers the same. */
export const cancelSignal = defineSignalCommand<SignalIdField>({
  id: 'cancel-signal',
  summary: 'Withdraws all orders of the signal and closes its positions at market; may be repeated.',
  input: Joi.object<SignalIdField, true>({ parent_signal_id: signalIdInput }),
  isRepeatable: true,
  effect: () => ({ event: { type: 'cancel' }, cause: 'the partner cancelled the signal' }),
});

interface TrailingStopFields extends SignalIdField {
  trailing_stop_price: string;
  trailing_stop_limit_price: string;
}

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

interface RebuyFields extends SignalIdField, TrailingFields {
  buy_price_min: string;
  buy_price_max: string;
  invest?: string;
}

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

interface DcaFields extends SignalIdField {
  buy_price: string;
  multiplier: string;
}

const largestMultiplier = 100;

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
