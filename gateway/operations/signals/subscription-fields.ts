import Joi from 'joi';
import { type AppError, fieldError } from '../../../compute/model/errors.js';
import { marginModes, tradingAccounts, type TradingAccount } from '../../../compute/model/trading-account.js';
import { standingOrdersOf } from '../../../storage/exchanges/standing-orders-of.js';
import type { Subscription, SubscriptionSettings } from '../../../storage/signals/subscription.js';
import type { Deps } from '../../context.js';
import {
  count,
  date,
  flag,
  list,
  oneOf,
  text,
  answerOf,
  type Answered,
  figure,
  figureOrNull,
} from '../output-fields.js';
import { factor, percent } from './signal-values.js';

const sides = ['long', 'short'] as const;

const stopMeaning =
  'whether stops stand on the exchange as orders, where it offers that; prices are watched otherwise';
const largestExposure = 100;
const mostOpenSignals = 100;
const mostSignalsPerDay = 1_000;
const highestLeverage = 125;
const mostSlippagePercent = 5;
const largestTurnover = 1e12;

/** What the settings mean, as they are sent and as they are told. */
const meanings = {
  maxSignalsPerDay:
    'the most signals that are followed in a UTC day; one that is closed at a loss within 60 s counts twice; null: no limit',
  maxSlippagePercent:
    'the most that an entry pays above the price at its order (below, for a short), in percent; it never pays more than the signal allows',
  minTurnover:
    'signals on pairs that trade less than this in 24 hours on the exchange are skipped, in USDT; null: no limit',
  maxLeverage: 'signals with a higher leverage are skipped',
  marginTypes: 'kinds of margin that are followed on MARGIN and FUTURES',
  accounts:
    'accounts that are followed; MARGIN and FUTURES are consented to by naming maxLeverage in the same request',
  maxDailyLoss:
    'percent of the balance that may be lost in a UTC day, with what open signals have lost and may lose: down to the stop, a fifth of what is invested at least, all of it without a stop; a price that jumps by over 20 % past a stop may lose more; null: no limit',
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
  maxDailyLoss: percent(meanings.maxDailyLoss).allow(null),
  maxSignalsPerDay: Joi.number()
    .integer()
    .min(1)
    .max(mostSignalsPerDay)
    .allow(null)
    .description(meanings.maxSignalsPerDay),
  maxSlippagePercent: factor(meanings.maxSlippagePercent, mostSlippagePercent),
  minTurnover: Joi.number().greater(0).max(largestTurnover).allow(null).description(meanings.minTurnover),
  sides: some(sides, 'directions that are followed'),
  accounts: some(tradingAccounts, meanings.accounts),
  maxLeverage: Joi.number().integer().min(1).max(highestLeverage).description(meanings.maxLeverage),
  marginTypes: some(marginModes, meanings.marginTypes),
  stopOnExchange: Joi.boolean().description(stopMeaning),
};

/**
 * Throws `invalid_input` where accounts on which more can be lost than is invested are asked for without naming the leverage: a
 * consent says how much.
 */
export function requireConsent({ accounts, maxLeverage }: Partial<SubscriptionSettings>): void {
  const account = accounts?.find((each) => each !== 'SPOT');
  if (account === undefined || maxLeverage !== undefined) return;
  throw fieldError(
    'maxLeverage',
    `"maxLeverage" is required with "accounts" ${account}: name the highest leverage that you accept there, 1 to ${highestLeverage}`,
    'invalid_input',
    { missing: true },
  );
}

/** A subscription as its user sees it. */
export type SubscriptionView = Answered<typeof subscriptionFields>;

export const subscriptionFields = {
  id: text('id of the subscription'),
  channel: text('id of the channel'),
  exchange: text('exchange on which orders are placed'),
  source: text('market whose prices the exchange follows; demo: a made-up market'),
  autoInvest: flag('whether orders are placed; otherwise signals are only shown'),
  investPercent: figure('the most that one signal invests, in percent of the quote balance'),
  maxOpenSignals: count('the most signals that are followed at the same time'),
  maxExposure: figure('the most that one signal invests, as a multiple of its entries'),
  maxTotalExposure: figureOrNull(
    'the most that all signals on the exchange invest together, in percent of the balance; null: no limit',
  ),
  maxDailyLoss: figureOrNull(meanings.maxDailyLoss),
  maxSignalsPerDay: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description(meanings.maxSignalsPerDay) as Joi.NumberSchema<number | null>,
  maxSlippagePercent: figure(meanings.maxSlippagePercent),
  minTurnover: figureOrNull(meanings.minTurnover),
  sides: list(oneOf(sides, 'a direction'), 'directions that are followed'),
  accounts: list(oneOf(tradingAccounts, 'an account'), meanings.accounts),
  maxLeverage: count(meanings.maxLeverage),
  marginTypes: list(oneOf(marginModes, 'a kind of margin'), meanings.marginTypes),
  stopOnExchange: flag(stopMeaning),
  watchedStops: list(
    oneOf(tradingAccounts, 'an account'),
    'followed accounts on which no stop order stands on the exchange: there this service alone watches prices, and sells when a stop is reached',
  ),
  watchedTargets: list(
    oneOf(tradingAccounts, 'an account'),
    'followed accounts on which no target stands on the exchange: there it is ordered when this service sees its price',
  ),
  pairedTargets: list(
    oneOf(tradingAccounts, 'an account'),
    'followed accounts on which the last target alone stands on the exchange, in one order with the stop; the others are ordered when this service sees their price',
  ),
  isPaused: flag('whether nothing more is bought'),
  pauseReason: text('why it was paused by itself; null where you paused it, or it is not paused').allow(null),
  createdAt: date('since when'),
};

/** What adding and changing a subscription answer. */
export const subscriptionOutput = answerOf(subscriptionFields);

/** The subscription, with what its exchange offers. */
export const subscriptionView = (
  { channelId, userId: _owner, createdAt, goodReads: _reads, ...settings }: Subscription,
  { exchanges }: Pick<Deps['exchanges'], 'exchanges'>,
): SubscriptionView => {
  const { exchange, accounts, stopOnExchange, maxTotalExposure, maxDailyLoss } = settings;
  const { stops, targets } = standingOrdersOf(exchanges, exchange);
  const resting = (account: TradingAccount) => (stopOnExchange ? targets.get(account) : undefined);
  return {
    ...settings,
    channel: channelId,
    source: exchanges.marketOf(exchange),
    watchedStops: accounts.filter((account) => !stopOnExchange || !stops.has(account)),
    watchedTargets: accounts.filter((account) => !resting(account)),
    pairedTargets: accounts.filter((account) => resting(account) === 'last'),
    investPercent: Number(settings.investPercent),
    maxExposure: Number(settings.maxExposure),
    maxTotalExposure: maxTotalExposure === null ? null : Number(maxTotalExposure),
    maxDailyLoss: maxDailyLoss === null ? null : Number(maxDailyLoss),
    maxSlippagePercent: Number(settings.maxSlippagePercent),
    createdAt: createdAt.toISOString(),
  };
};

export const subscriptionId = Joi.string()
  .max(100)
  .required()
  .description('id of a subscription')
  .example('68a1f0c2e4b0a1b2c3d4e5f6');

/** The error for an id of which the user has no subscription, also where another user has one. */
export const unknownSubscription = (id: string): AppError =>
  fieldError('id', `you have no subscription "${id}"`, 'unknown_subscription');
