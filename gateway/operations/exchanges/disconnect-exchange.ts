import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { exchangesOf, exchangesOutput, type Exchanges } from './exchanges-output.js';

/** Forgets a connection and its key. */
export const disconnectExchange = defineOperation<{ exchange: string }, Exchanges>({
  id: 'disconnect-exchange',
  summary: 'Forgets a connected exchange, its key and what was read with it.',
  scope: 'user',
  cost: 1,
  input: Joi.object<{ exchange: string }, true>({
    exchange: Joi.string().max(20).required().description('name of a connected exchange'),
  }),
  output: exchangesOutput,
  async handle({ exchange: name }, deps, { user }) {
    await deps.exchanges.disconnect(user!.userId, name);
    return exchangesOf(user!.userId, deps);
  },
});
