import Joi from 'joi';
import type { Subscription, SubscriptionSettings } from '../../../storage/signals/subscription.js';
import { defineOperation } from '../../operation.js';
import {
  requireConsent,
  settingFields,
  subscriptionId,
  subscriptionOutput,
  subscriptionView,
  unknownSubscription,
  type SubscriptionIdInput,
  type SubscriptionView,
} from './subscription-fields.js';

type ChangeSubscriptionInput = SubscriptionIdInput &
  Partial<SubscriptionSettings & Pick<Subscription, 'isPaused'>>;

/** Changes how the user follows a channel. Signals that were delivered keep the amounts they were planned with. */
export const changeSubscription = defineOperation<ChangeSubscriptionInput, SubscriptionView>({
  id: 'change-subscription',
  summary:
    'Changes how you follow a channel, for signals that come from now on; a pause also holds entries that wait.',
  scope: 'user',
  cost: 1,
  input: Joi.object<ChangeSubscriptionInput>({
    id: subscriptionId,
    ...settingFields,
    isPaused: Joi.boolean().description('whether nothing more is bought'),
  }),
  output: subscriptionOutput,
  errors: ['unknown_subscription'],
  async handle({ id, ...settings }, { exchanges, storage }, { user }) {
    requireConsent(settings);
    const { userId } = user!;
    const changed = await storage.subscriptions.change(userId, id, settings);
    if (!changed) throw unknownSubscription(id);
    if (settings.isPaused !== undefined)
      await storage.executionReads.wakeOpen({ userId, subscriptionId: id });
    return { payload: subscriptionView(changed, exchanges) };
  },
});
