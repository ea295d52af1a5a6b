import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { subscriptionList, subscriptionView, type SubscriptionView } from './subscription-fields.js';

interface SubscriptionsOutput {
  subscriptions: SubscriptionView[];
}

/** The channels that the user follows. */
export const listSubscriptions = defineOperation<object, SubscriptionsOutput>({
  id: 'list-subscriptions',
  summary: 'The channels that you follow, and how.',
  scope: 'user',
  cost: 1,
  isLight: true,
  input: Joi.object<object>({}),
  output: Joi.object<SubscriptionsOutput, true>({ subscriptions: subscriptionList }),
  leadsTo: ['change-subscription', 'remove-subscription'].map((to) => ({
    to,
    fields: { id: 'payload/subscriptions/0/id' },
  })),
  async handle(_input, { storage }, { user }) {
    const found = await storage.subscriptions.ofUser(user!.userId);
    return { payload: { subscriptions: found.map(subscriptionView) } };
  },
});
