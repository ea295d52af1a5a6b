import Joi from 'joi';
import type { ForeignOrder } from '../../../storage/signals/foreign-orders.js';
import { defineOperation } from '../../operation.js';
import { flag, list, objectField, text } from '../output-fields.js';
import { channelResultField, ownResults, type ChannelResult } from './own-results.js';
import { subscriptionFields, subscriptionView, type SubscriptionView } from './subscription-fields.js';

interface SubscriptionsInput {
  results: boolean;
}

interface FollowedChannel extends SubscriptionView {
  channelName: string | null;
  results: ChannelResult[] | null;
}

interface SubscriptionsOutput {
  subscriptions: FollowedChannel[];
  foreignOrders: ForeignOrderView[];
}

/** An open order of the user that no signal has placed. */
interface ForeignOrderView extends ForeignOrder {
  exchange: string;
}

const followedChannel = objectField<FollowedChannel>(
  {
    ...subscriptionFields,
    channelName: text('name of the channel; null without `results`').allow(null),
    results: list(
      channelResultField,
      'what its signals have earned you, by quote currency; null without `results`',
    ).allow(null),
  },
  'a subscription',
);

const foreignOrder = objectField<ForeignOrderView>(
  {
    exchange: text('exchange on which it stands'),
    account: text('account on which it stands'),
    pair: text('its pair').example('BTC/USDT'),
    clientOrderId: text('its id, as the exchange shows it'),
    hasOwnId: flag('whether its id has the form of those of signals; such an order pauses the account'),
  },
  'an open order that no signal has placed',
);

const mostAccounts = 100;

/** The channels that the user follows. */
export const listSubscriptions = defineOperation<SubscriptionsInput, SubscriptionsOutput>({
  id: 'list-subscriptions',
  summary: 'The channels that you follow, and how; with `results`, what the signals of each have earned you.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 1,
  isLight: true,
  input: Joi.object<SubscriptionsInput>({
    results: Joi.boolean().default(false).description('whether names and your own results are told, too'),
  }),
  output: Joi.object<SubscriptionsOutput, true>({
    subscriptions: list(followedChannel, 'the oldest first'),
    foreignOrders: list(
      foreignOrder,
      'open orders that no signal has placed, on accounts where signals trade',
    ),
  }),
  leadsTo: ['change-subscription', 'remove-subscription'].map((to) => ({
    to,
    fields: { id: 'payload/subscriptions/0/id' },
  })),
  async handle({ results: isAsked }, { exchanges, storage }, { user }) {
    const { userId } = user!;
    const [found, foreign, told] = await Promise.all([
      storage.subscriptions.ofUser(userId),
      storage.foreignOrders.list({ userId, limit: mostAccounts }),
      isAsked ? ownResults(userId, storage) : null,
    ]);
    return {
      payload: {
        subscriptions: found.map((each) => ({
          ...subscriptionView(each, exchanges),
          channelName: told?.names.get(each.channelId) ?? null,
          results: told ? (told.results.get(each.channelId) ?? []) : null,
        })),
        foreignOrders: foreign.flatMap(({ exchange, orders }) =>
          orders.map((order) => ({ exchange, ...order })),
        ),
      },
    };
  },
});
