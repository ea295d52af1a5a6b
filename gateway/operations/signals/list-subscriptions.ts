import Joi from 'joi';
import { ProfitGroups } from '../../../compute/ledger/profit-groups.js';
import type { Storage } from '../../../storage/index.js';
import { defineOperation } from '../../operation.js';
import { count, figureOrNull, list, objectField, text } from '../output-fields.js';
import { subscriptionFields, subscriptionView, type SubscriptionView } from './subscription-fields.js';

interface SubscriptionsInput {
  results: boolean;
}

/** What the signals of a channel have earned the user in one quote currency. */
interface ChannelResult {
  tradeMarket: string;
  profit: string;
  trades: number;
  wins: number;
  winRatePercent: number | null;
}

interface FollowedChannel extends SubscriptionView {
  channelName: string | null;
  results: ChannelResult[] | null;
}

interface SubscriptionsOutput {
  subscriptions: FollowedChannel[];
}

/** Trades that are summed up at most, the newest. */
const mostSummed = 20_000;

/** The channels that the user follows. */
export const listSubscriptions = defineOperation<SubscriptionsInput, SubscriptionsOutput>({
  id: 'list-subscriptions',
  summary: 'The channels that you follow, and how; with `results`, what the signals of each have earned you.',
  scope: 'user',
  cost: 1,
  isLight: true,
  input: Joi.object<SubscriptionsInput>({
    results: Joi.boolean().default(false).description('whether names and your own results are told, too'),
  }),
  output: Joi.object<SubscriptionsOutput, true>({
    subscriptions: list(
      objectField<FollowedChannel>(
        {
          ...subscriptionFields,
          channelName: text('name of the channel; null without `results`').allow(null),
          results: list(
            objectField<ChannelResult>(
              {
                tradeMarket: text('quote currency; profits in different ones are never added up'),
                profit: text('realised profit net of fees, a decimal'),
                trades: count('trades that closed'),
                wins: count('those that earned something'),
                winRatePercent: figureOrNull('percent of the trades that earned something'),
              },
              'a result',
            ),
            'what its signals have earned you, by quote currency; null without `results`',
          ).allow(null),
        },
        'a subscription',
      ),
      'the oldest first',
    ),
  }),
  leadsTo: ['change-subscription', 'remove-subscription'].map((to) => ({
    to,
    fields: { id: 'payload/subscriptions/0/id' },
  })),
  async handle({ results: isAsked }, { storage }, { user }) {
    const { userId } = user!;
    const [found, told] = await Promise.all([
      storage.subscriptions.ofUser(userId),
      isAsked ? ownResults(userId, storage) : null,
    ]);
    return {
      payload: {
        subscriptions: found.map((each) => ({
          ...subscriptionView(each),
          channelName: told?.names.get(each.channelId) ?? null,
          results: told ? (told.results.get(each.channelId) ?? []) : null,
        })),
      },
    };
  },
});

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
