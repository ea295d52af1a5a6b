import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import {
  flag,
  list,
  objectField,
  text,
  count,
  figureOrNull,
  type ValueOf,
  answerOf,
} from '../output-fields.js';
import { subscriptionFields, subscriptionView } from './subscription-fields.js';
import { ProfitGroups } from '../../../compute/ledger/profit-groups.js';
import type { Storage } from '../../../storage/index.js';

/** What the signals of a channel have earned the user in one quote currency. */
type ChannelResult = ValueOf<typeof channelResultField>;

const channelResultField = objectField(
  {
    tradeMarket: text('quote currency; profits in different ones are never added up'),
    profit: text('realised profit net of fees, a decimal'),
    trades: count('trades that closed'),
    wins: count('those that earned something'),
    winRatePercent: figureOrNull('percent of the trades that earned something'),
  },
  'a result',
);

/** Most trades that are summed up: the newest. */
const mostSummed = 20_000;

/** The names of channels, and what the signals of each have earned a user. */
async function ownResults(userId: string, storage: Pick<Storage, 'channels' | 'trades'>) {
  const groups = new ProfitGroups('channel', '');
  const [channels] = await Promise.all([
    storage.channels.list(),
    (async () => {
      for await (const line of storage.trades.profits(userId, new Date(0), mostSummed)) groups.add(line);
    })(),
  ]);
  const results = new Map<string, ChannelResult[]>();
  for (const { group, tradeMarket, profit, trades, wins } of groups.rows())
    results.set(group, [
      ...(results.get(group) ?? []),
      { tradeMarket, profit, trades, wins, winRatePercent: trades === 0 ? null : (100 * wins) / trades },
    ]);
  return { names: new Map(channels.map(({ id, name }) => [id, name])), results };
}

const followedChannel = objectField(
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

const foreignOrder = objectField(
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

export const listSubscriptions = defineOperation({
  id: 'list-subscriptions',
  summary: 'The channels that you follow, and how; with `results`, what the signals of each have earned you.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  isLight: true,
  input: Joi.object<{ results: boolean }>({
    results: Joi.boolean().default(false).description('whether names and your own results are told, too'),
  }),
  output: answerOf({
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
