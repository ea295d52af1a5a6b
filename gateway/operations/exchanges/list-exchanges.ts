import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { exchangesOf, exchangesOutput, type Exchanges } from './exchanges-output.js';

/** The exchanges the caller has connected. */
export const listExchanges = defineOperation<object, Exchanges>({
  id: 'list-exchanges',
  summary: 'The exchanges you have connected, and those you can connect.',
  scope: 'user',
  cost: 1,
  input: Joi.object<object>({}),
  output: exchangesOutput,
  leadsTo: [{ to: 'portfolio', fields: { exchange: 'payload/exchanges/0/exchange' } }],
  handle: async (_input, deps, { user }) => exchangesOf(user!.userId, deps),
});
