import type { NewSubscription } from '../../../storage/signals/subscriptions.js';

/** A subscription on paper that follows everything. */
export const newSubscription = (
  userId: string,
  channelId: string,
  more: Partial<NewSubscription> = {},
): NewSubscription => ({
  ...{ userId, channelId, exchange: 'PAPER', autoInvest: true, investPercent: '5', maxOpenSignals: 10 },
  ...{ maxExposure: '4', maxTotalExposure: null, maxDailyLoss: null, stopOnExchange: true },
  sides: ['long', 'short'],
  accounts: ['SPOT', 'MARGIN', 'FUTURES'],
  ...more,
});
