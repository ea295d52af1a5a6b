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
} from './subscription-fields.js';
import { count, text, answerOf } from '../output-fields.js';

/** Ends following a channel. What is held stays managed, or is closed if that is asked for. */
export const removeSubscription = defineOperation({
  id: 'remove-subscription',
  summary: 'Ends following a channel: no new entries; with close=true what is open is closed at market.',
  scope: 'user',
  input: Joi.object<SubscriptionIdInput & { close: boolean }, true>({
    id: subscriptionId,
    close: Joi.boolean().default(false).description('whether what is open is closed at market'),
  }),
  output: answerOf({
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

type ChangeSubscriptionInput = SubscriptionIdInput &
  Partial<SubscriptionSettings & Pick<Subscription, 'isPaused'>>;

/** Changes how the user follows a channel. Signals that were delivered keep the amounts they were planned with. */
export const changeSubscription = defineOperation({
  id: 'change-subscription',
  summary:
    'Changes how you follow a channel, for signals that come from now on; a pause also holds entries that wait.',
  scope: 'user',
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
