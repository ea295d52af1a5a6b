import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { tradingAccounts, type TradingAccount } from '../../../compute/model/trading-account.js';
import { standingStopsOf } from '../../../storage/exchanges/standing-stops-of.js';
import type { Subscription, SubscriptionSettings } from '../../../storage/signals/subscription.js';
import type { Deps } from '../../context.js';
import { count, date, flag, list, oneOf, text } from '../output-fields.js';
import { factor, percent } from './signal-values.js';

const sides = ['long', 'short'] as const;

const stopMeaning =
  'whether stops stand on the exchange as orders, where it offers that; prices are watched otherwise';
const largestExposure = 100;
const mostOpenSignals = 100;

/** The settings of a subscription where none are given. */
export const defaultSettings: SubscriptionSettings = {
  autoInvest: true,
  investPercent: '5',
  maxOpenSignals: 10,
  maxExposure: '4',
  maxTotalExposure: null,
  maxDailyLoss: null,
  sides: [...sides],
  accounts: [...tradingAccounts],
  stopOnExchange: true,
};

const some = <T extends string>(words: readonly T[], description: string): Joi.ArraySchema =>
  Joi.array()
    .items(Joi.string().valid(...words))
    .min(1)
    .unique()
    .description(description);

/** The settings of a subscription as they are sent. */
export const settingFields: Record<keyof SubscriptionSettings, Joi.Schema> = {
  autoInvest: Joi.boolean()
    .description('whether orders are placed; otherwise signals are only shown')
    .example(true),
  investPercent: percent('the most that one signal invests, in percent of the quote balance').example(5),
  maxOpenSignals: Joi.number()
    .integer()
    .min(1)
    .max(mostOpenSignals)
    .description('the most signals that are followed at the same time'),
  maxExposure: factor(
    'the most that one signal invests with rebuys and DCA levels, as a multiple of its entries',
    largestExposure,
  ),
  maxTotalExposure: percent(
    'the most that all your signals on the exchange invest together, in percent of the balance; null: no limit',
  ).allow(null),
  maxDailyLoss: percent('percent of the balance that may be lost in a UTC day; null: no limit').allow(null),
  sides: some(sides, 'directions that are followed'),
  accounts: some(tradingAccounts, 'accounts that are followed'),
  stopOnExchange: Joi.boolean().description(stopMeaning),
};

/** A subscription as its user sees it. */
export interface SubscriptionView extends Omit<
  SubscriptionSettings,
  'investPercent' | 'maxExposure' | 'maxTotalExposure' | 'maxDailyLoss'
> {
  id: string;
  channel: string;
  exchange: string;
  investPercent: number;
  maxExposure: number;
  maxTotalExposure: number | null;
  maxDailyLoss: number | null;
  watchedStops: TradingAccount[];
  isPaused: boolean;
  pauseReason: string | null;
  createdAt: string;
}

/** Output fields of a subscription. */
export const subscriptionFields: Joi.StrictSchemaMap<SubscriptionView> = {
  id: text('id of the subscription'),
  channel: text('id of the channel'),
  exchange: text('exchange on which orders are placed'),
  autoInvest: flag('whether orders are placed; otherwise signals are only shown'),
  investPercent: Joi.number()
    .required()
    .description('the most that one signal invests, in percent of the quote balance'),
  maxOpenSignals: count('the most signals that are followed at the same time'),
  maxExposure: Joi.number()
    .required()
    .description('the most that one signal invests, as a multiple of its entries'),
  maxTotalExposure: Joi.number()
    .allow(null)
    .required()
    .description(
      'the most that all signals on the exchange invest together, in percent of the balance; null: no limit',
    ),
  maxDailyLoss: Joi.number()
    .allow(null)
    .required()
    .description('percent of the balance that may be lost in a UTC day; null: no limit'),
  sides: list(oneOf(sides, 'a direction'), 'directions that are followed'),
  accounts: list(oneOf(tradingAccounts, 'an account'), 'accounts that are followed'),
  stopOnExchange: flag(stopMeaning),
  watchedStops: list(
    oneOf(tradingAccounts, 'an account'),
    'followed accounts on which no stop order stands on the exchange: there this service alone watches prices, and sells when a stop is reached',
  ),
  isPaused: flag('whether nothing more is bought'),
  pauseReason: text('why it was paused by itself; null where you paused it, or it is not paused').allow(null),
  createdAt: date('since when'),
};

/** What adding and changing a subscription answer. */
export const subscriptionOutput = Joi.object<SubscriptionView, true>(subscriptionFields);

/** The subscription, with what its exchange offers. */
export const subscriptionView = (
  subscription: Subscription,
  { exchanges }: Pick<Deps['exchanges'], 'exchanges'>,
): SubscriptionView => {
  const { id, channelId, exchange, createdAt, investPercent, maxExposure, maxDailyLoss } = subscription;
  const { maxTotalExposure } = subscription;
  const {
    autoInvest,
    maxOpenSignals,
    sides: followed,
    accounts: traded,
    stopOnExchange,
    isPaused,
    pauseReason,
  } = subscription;
  const stands = standingStopsOf(exchanges, exchange);
  return {
    ...{
      id,
      channel: channelId,
      exchange,
      autoInvest,
      maxOpenSignals,
      stopOnExchange,
      isPaused,
      pauseReason,
    },
    sides: followed,
    accounts: traded,
    watchedStops: traded.filter((account) => !stopOnExchange || !stands.has(account)),
    investPercent: Number(investPercent),
    maxExposure: Number(maxExposure),
    maxTotalExposure: maxTotalExposure === null ? null : Number(maxTotalExposure),
    maxDailyLoss: maxDailyLoss === null ? null : Number(maxDailyLoss),
    createdAt: createdAt.toISOString(),
  };
};

/** The input of an operation on one subscription. */
export interface SubscriptionIdInput {
  id: string;
}

export const subscriptionId = Joi.string()
  .max(100)
  .required()
  .description('id of a subscription')
  .example('68a1f0c2e4b0a1b2c3d4e5f6');

/** The error for an id of which the user has no subscription, also where another user has one. */
export const unknownSubscription = (id: string): AppError =>
  new AppError('unknown_subscription', `you have no subscription "${id}"`, { details: { field: 'id' } });
