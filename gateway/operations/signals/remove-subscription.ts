import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { count, text } from '../output-fields.js';
import { subscriptionId, unknownSubscription, type SubscriptionIdInput } from './subscription-fields.js';

interface RemoveSubscriptionInput extends SubscriptionIdInput {
  close: boolean;
}

interface RemoveSubscriptionOutput extends SubscriptionIdInput {
  closing: number;
}

/** Ends following a channel. What is held stays managed, or is closed if that is asked for. */
export const removeSubscription = defineOperation<RemoveSubscriptionInput, RemoveSubscriptionOutput>({
  id: 'remove-subscription',
  summary: 'Ends following a channel: no new entries; with close=true what is open is closed at market.',
  scope: 'user',
  cost: 1,
  input: Joi.object<RemoveSubscriptionInput, true>({
    id: subscriptionId,
    close: Joi.boolean().default(false).description('whether what is open is closed at market'),
  }),
  output: Joi.object<RemoveSubscriptionOutput, true>({
    id: text('id of the subscription'),
    closing: count('executions that are being closed'),
  }),
  errors: ['unknown_subscription'],
  async handle({ id, close }, { storage }, { user }) {
    const { userId } = user!;
    if (!(await storage.subscriptions.find(userId, id))) throw unknownSubscription(id);
    // Open executions are closed first, so that an interrupted removal can be repeated.
    const of = { userId, subscriptionId: id };
    const closing = close ? await storage.executionReads.wishClose(of) : 0;
    if (!(await storage.subscriptions.remove(userId, id))) throw unknownSubscription(id);
    // Signals delivered between the two, and waiting entries: without their subscription they buy nothing more.
    const late = close
      ? await storage.executionReads.wishClose(of)
      : await storage.executionReads.wakeOpen(of);
    return { payload: { id, closing: Math.max(closing, close ? late : 0) } };
  },
});
