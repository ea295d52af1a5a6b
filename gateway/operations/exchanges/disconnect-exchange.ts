import Joi from 'joi';
import type { DisconnectOptions } from '../../../storage/accounts/user-exchanges.js';
import { defineOperation } from '../../operation.js';
import { exchangesOf, exchangesOutput, type ExchangesOutput } from './list-exchanges.js';

export interface DisconnectExchangeInput extends Required<DisconnectOptions> {
  exchange: string;
}

/** Deletes a connection, its key and the account data read with it, and pauses the subscriptions on it. */
export const disconnectExchange = defineOperation<DisconnectExchangeInput, ExchangesOutput>({
  id: 'disconnect-exchange',
  summary:
    'Deletes a connected exchange, its key and the account data read with it, and pauses your subscriptions on it. Refused while signals are executed there, unless `close` or `handover` says what becomes of them.',
  scope: 'user',
  cost: 1,
  input: Joi.object<DisconnectExchangeInput, true>({
    exchange: Joi.string().max(20).required().description('name of a connected exchange').example('PAPER'),
    close: Joi.boolean()
      .default(false)
      .description('whether signals that are executed there are closed at market first'),
    handover: Joi.boolean()
      .default(false)
      .description(
        'whether signals that are executed there end without an order: what is held, and orders that stand there, are yours to watch',
      ),
  }).oxor('close', 'handover', { isPresent: (value) => value === true }),
  output: exchangesOutput,
  errors: ['positions_open'],
  async handle({ exchange: name, ...options }, deps, caller) {
    const { userId } = caller.user!;
    await deps.exchanges.disconnect(userId, name, options);
    deps.audit.note('exchange_removed', userId, caller, { exchange: name });
    return exchangesOf(userId, deps);
  },
});
