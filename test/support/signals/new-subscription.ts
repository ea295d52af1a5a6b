import type { NewSubscription } from '../../../storage/signals/subscriptions.js';

/** The consent to everything that a new subscription leaves out, as tests of other things need it. */
export const everything = {
  ...{ maxTotalExposure: null, maxDailyLoss: null, maxSignalsPerDay: null, minTurnover: null },
  maxSlippagePercent: '5',
  accounts: ['SPOT', 'MARGIN', 'FUTURES'],
  maxLeverage: 125,
  marginTypes: ['ISOLATED', 'CROSS'],
} satisfies Partial<NewSubscription>;

/** A subscription on paper that follows everything. */
export const newSubscription = (
  userId: string,
  channelId: string,
  more: Partial<NewSubscription> = {},
): NewSubscription => ({
  ...{ userId, channelId, exchange: 'PAPER', autoInvest: true, investPercent: '5', maxOpenSignals: 10 },
  ...{ maxExposure: '4', stopOnExchange: true, sides: ['long', 'short'] },
  ...everything,
  ...more,
});
