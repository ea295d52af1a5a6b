import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import { defaultSettings, type SubscriptionSettings } from '../../../storage/signals/subscription.js';
import { defineOperation } from '../../operation.js';
import {
  requireConsent,
  settingFields,
  subscriptionOutput,
  subscriptionView,
  type SubscriptionView,
} from './subscription-fields.js';
import { requireTradable } from './require-tradable.js';

interface AddSubscriptionInput extends Partial<SubscriptionSettings> {
  channel: string;
  exchange: string;
}

/** Follows a channel. Signals that come from now on are delivered. */
export const addSubscription = defineOperation<AddSubscriptionInput, SubscriptionView>({
  id: 'add-subscription',
  summary: 'Follows a channel: its signals from now on are executed on your account.',
  scope: 'user',
  needsVerified: true,
  cost: 5,
  input: Joi.object<AddSubscriptionInput>({
    channel: Joi.string()
      .max(100)
      .required()
      .description('id of a channel')
      .example('68a1f0c2e4b0a1b2c3d4e5f6'),
    exchange: Joi.string().max(40).default(paperName).description('exchange on which orders are placed'),
    ...settingFields,
  }),
  output: subscriptionOutput,
  errors: ['already_exists', 'exchange_refused', 'exchange_unavailable'],
  leadsTo: ['change-subscription', 'remove-subscription'].map((to) => ({ to, fields: { id: 'payload/id' } })),
  async handle({ channel: channelId, exchange, ...settings }, deps, caller) {
    const { userId } = caller.user!;
    requireConsent(settings);
    await requireTradable(exchange, deps, caller);
    const channel = await deps.storage.channels.find(channelId);
    if (!channel)
      throw new AppError('invalid_input', `there is no channel "${channelId}"`, {
        details: { field: 'channel' },
      });
    const { sides } = channel.defaults;
    const added = await deps.storage.subscriptions.add({
      ...defaultSettings,
      sides,
      ...settings,
      ...{ userId, channelId, exchange },
    });
    // The account may have been deleted while the key was tried: nothing may be ordered for it any more.
    if (!(await deps.storage.users.byId(userId))) {
      await deps.storage.subscriptions.removeAll(userId);
      throw new AppError('unauthorized', 'this account was removed');
    }
    return { payload: subscriptionView(added, deps.exchanges) };
  },
});
