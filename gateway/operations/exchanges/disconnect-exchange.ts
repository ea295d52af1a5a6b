import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { exchangesOf, exchangesOutput, type ExchangesOutput } from './list-exchanges.js';

export interface DisconnectExchangeInput {
  exchange: string;
}

/** Deletes a connection, its key and the account data read with it. */
export const disconnectExchange = defineOperation<DisconnectExchangeInput, ExchangesOutput>({
  id: 'disconnect-exchange',
  summary: 'Deletes a connected exchange, its key and the account data read with it.',
  scope: 'user',
  cost: 1,
  input: Joi.object<DisconnectExchangeInput, true>({
    exchange: Joi.string().max(20).required().description('name of a connected exchange').example('PAPER'),
  }),
  output: exchangesOutput,
  async handle({ exchange: name }, deps, caller) {
    const { userId } = caller.user!;
    await deps.exchanges.disconnect(userId, name);
    deps.audit.note('exchange_removed', userId, caller, { exchange: name });
    return exchangesOf(userId, deps);
  },
});
