import Joi from 'joi';
import type { ForeignOrder } from '../../../storage/signals/foreign-orders.js';
import { defineOperation } from '../../operation.js';
import { flag, list, objectField, text } from '../output-fields.js';
import { subscriptionList, subscriptionView, type SubscriptionView } from './subscription-fields.js';

interface SubscriptionsOutput {
  subscriptions: SubscriptionView[];
  foreignOrders: ForeignOrderView[];
}

/** An open order of the user that no signal has placed. */
interface ForeignOrderView extends ForeignOrder {
  exchange: string;
}

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
export const listSubscriptions = defineOperation<object, SubscriptionsOutput>({
  id: 'list-subscriptions',
  summary: 'The channels that you follow, and how.',
  scope: 'user',
  cost: 1,
  isLight: true,
  input: Joi.object<object>({}),
  output: Joi.object<SubscriptionsOutput, true>({
    subscriptions: subscriptionList,
    foreignOrders: list(
      foreignOrder,
      'open orders that no signal has placed, on accounts where signals trade',
    ),
  }),
  leadsTo: ['change-subscription', 'remove-subscription'].map((to) => ({
    to,
    fields: { id: 'payload/subscriptions/0/id' },
  })),
  async handle(_input, { storage }, { user }) {
    const { userId } = user!;
    const [found, foreign] = await Promise.all([
      storage.subscriptions.ofUser(userId),
      storage.foreignOrders.list({ userId, limit: mostAccounts }),
    ]);
    const foreignOrders = foreign.flatMap(({ exchange, orders }) =>
      orders.map((order) => ({ exchange, ...order })),
    );
    return { payload: { subscriptions: found.map(subscriptionView), foreignOrders } };
  },
});
