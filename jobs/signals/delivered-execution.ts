import { Decimal } from '../../compute/model/decimal.js';
import { pairName } from '../../compute/model/market-pair.js';
import type { Execution } from '../../compute/signals/execution.js';
import { planExecution, type ExecutionPlan } from '../../compute/signals/plan-execution.js';
import type { VenueSilence } from '../../storage/exchanges/trading-venue.js';
import { encodeExecution } from '../../storage/signals/execution-json.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { StoredExecution, StoredOrder } from '../../storage/signals/stored-execution.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import { applyCommands } from './apply-commands.js';
import { askAgainAt } from './execution-due-at.js';
import { endedUnplanned } from './ended-unplanned.js';
import { ExecutionRun } from './run/execution-run.js';
import { slotOf } from './partner-slots.js';
import { tradeSignalOf } from './trade-signal-of.js';
import { leastLagMs, type VenueScene } from './venue-scene.js';

/**
 * The orders of a delivery are placed when it has reached every subscriber, or after this time. If Redis loses their ids, the
 * next sweep finds them.
 */
export const deliveryMs = 25_000;

/** The facts on which the execution of a signal for one subscriber is planned. */
export interface DeliveryScene extends Omit<VenueScene, 'balances' | 'stopsStand'> {
  /** The user's free balance of the quote asset; null: the exchange refuses to show it. */
  balance: Decimal | VenueSilence | null;
  /** How many signals the subscription follows now. */
  openSignals: number;
  /** How many signals of the partner the user has followed since 00:00 UTC; see `signalsToday`. Default: 0. */
  signalsOfDay?: number;
  /** Whether the operator has halted new entries. */
  isHalted: boolean;
  /** How long a stop order stands at least before a trailing stop replaces it. */
  stopMoveMs: number;
  /** See `TradingVenue`. */
  lateMs?: number | undefined;
  /** When the exchange was asked first; absent: now. */
  since?: Date | undefined;
  /** Whether stop orders can rest at the venue; prices are watched for them otherwise. Default: they can. */
  stopsStand?: boolean;
  nowMs: number;
}

/** The facts that an execution without a plan needs. */
type BareScene = Pick<DeliveryScene, 'market' | 'since' | 'nowMs'>;

/**
 * The execution of a signal for one subscriber, with the commands that have come meanwhile and the orders that the present
 * price requires. The orders are not sent here, but from the stored document. If the subscriber does not follow the signal,
 * the execution has ended and says why. If the exchange does not answer, the execution has no state and is due when the
 * exchange is asked again; after the time for the entry it has expired.
 */
export function deliveredExecution(
  signal: PartnerSignal,
  subscription: Subscription,
  scene: DeliveryScene,
): StoredExecution {
  const plan = planned(signal, subscription, scene);
  if ('skipped' in plan) return skippedExecution(signal, subscription, scene, plan.skipped);
  if ('postponed' in plan) return postponedExecution(signal, subscription, scene, plan.postponed);
  const empty = newExecution(signal, subscription, scene);
  const at = new Date(scene.nowMs);
  const lines = plan.merged.map((leg) => ({
    at,
    type: 'entry_merged',
    cause: 'its part is below the minimum of the exchange; the next entry buys it',
    figures: { leg },
  }));
  const investPercent = smaller(signal.terms.investPercent, subscription.investPercent);
  const state = encodeExecution(plan.execution);
  const deliveryPrice = scene.price && { deliveryPrice: String(scene.price.price) };
  const run = new ExecutionRun({ ...empty, ...deliveryPrice, investPercent, state, events: lines });
  run.applyHalt(scene.isHalted, scene.nowMs);
  applyCommands(run, signal.commands, { nowMs: scene.nowMs });
  const { lagMs = 0 } = scene;
  const venueMs = scene.nowMs - lagMs;
  if (scene.price) {
    const { price, time } = scene.price;
    // A price with a time that has not come at the exchange must not make the execution deaf to the prices until then.
    const seenAt = new Date(Math.min(time, venueMs + leastLagMs));
    run.applyPrice(Decimal.read(String(price)), seenAt, scene.nowMs);
  }
  const known = run.toStore(scene.nowMs);
  // Prices of the exchange from before the signal never count, whatever the difference of the clocks.
  const stored = lagMs === 0 ? known : { ...known, seenAt: known.seenAt ?? new Date(venueMs) };
  if (stored.orders.length === 0) return stored;
  const orders = stored.orders.map((order) => asUnsent(order, scene));
  return { ...stored, orders, dueAt: new Date(scene.nowMs + deliveryMs) };
}

/** The ended execution of a subscriber who does not follow the signal, with the reason. */
export function skippedExecution(
  signal: PartnerSignal,
  subscription: Subscription,
  scene: BareScene,
  reason: string,
): StoredExecution {
  return endedUnplanned(newExecution(signal, subscription, scene), 'skipped', reason, scene.nowMs);
}

function postponedExecution(
  signal: PartnerSignal,
  subscription: Subscription,
  scene: BareScene,
  why: string,
): StoredExecution {
  const empty = newExecution(signal, subscription, scene);
  const { nowMs } = scene;
  const { entriesEndAt } = tradeSignalOf(signal);
  if (entriesEndAt !== null && nowMs >= entriesEndAt)
    return endedUnplanned(empty, 'expired', `the time for the entry has ended: ${why}`, nowMs);
  const line = { at: new Date(nowMs), type: 'postponed', cause: `${why}; it is asked again`, figures: {} };
  const againAt = askAgainAt(empty.createdAt, nowMs);
  const dueAt = new Date(Math.min(againAt, entriesEndAt ?? againAt));
  return { ...empty, events: [line], dueAt, revision: 0 };
}

/**
 * Marks an order as not sent if orders of the venue may arrive late: otherwise the worker would first have to prove that the
 * order is absent. On other venues placing an order twice is harmless, and the mark would cost a write.
 */
const asUnsent = (order: StoredOrder, { lateMs }: DeliveryScene): StoredOrder =>
  lateMs === undefined || order.status !== 'sent' ? order : { ...order, status: 'planned' };

/** Whether a subscriber follows the signal if the exchange allows it: only then is the exchange asked for the balance. */
export const wouldFollow = (
  signal: PartnerSignal,
  subscription: Subscription,
  openSignals: number,
): boolean => reasonNotWanted(signal, subscription) === null && openSignals < subscription.maxOpenSignals;

/** Why the settings of a subscription leave the signal out; null if they do not. */
function reasonNotWanted({ terms }: PartnerSignal, subscription: Subscription): string | null {
  const { side, account, leverage, marginType } = terms;
  // A pause that ends by itself postpones the signal.
  if (subscription.isPaused && typeof subscription.goodReads !== 'number')
    return 'the subscription is paused';
  if (!subscription.autoInvest) return 'auto-invest is off';
  if (!subscription.sides.includes(side)) return `the subscription follows no ${side} signals`;
  if (!subscription.accounts.includes(account))
    return `the subscription follows no signals on ${account} accounts`;
  if (leverage > subscription.maxLeverage)
    return `the signal has a leverage of ${leverage}, and the subscription allows ${subscription.maxLeverage}`;
  if (account !== 'SPOT' && !subscription.marginTypes.includes(marginType))
    return `the subscription follows no signals with ${marginType} margin`;
  return null;
}

function planned(
  signal: PartnerSignal,
  subscription: Subscription,
  {
    rules,
    balance,
    turnover = null,
    lateMs,
    fault,
    openSignals,
    signalsOfDay = 0,
    stopMoveMs,
    stopsStand = true,
    restingTargets,
  }: DeliveryScene,
): ExecutionPlan | { postponed: string } {
  const { account, coin, quote } = signal.terms;
  const { exchange, isPaused, maxOpenSignals, maxSignalsPerDay, minTurnover, pauseReason } = subscription;
  const unwanted = reasonNotWanted(signal, subscription);
  if (unwanted !== null) return { skipped: unwanted };
  if (isPaused) return { postponed: `the account is paused: ${pauseReason}` };
  if (fault) {
    const reason = `${exchange} cannot be traded on now: ${fault.reason}`;
    return fault.isLasting ? { skipped: reason } : { postponed: reason };
  }
  if (!rules) return { skipped: `${exchange} does not trade ${coin}/${quote}` };
  // The paper exchange has no turnover.
  if (minTurnover !== null && !turnover && lateMs !== undefined)
    return {
      skipped: `${exchange} does not tell what was traded of ${coin}/${quote} in 24 hours, and the subscription wants ${minTurnover} USDT`,
    };
  if (minTurnover !== null && turnover && turnover.compare(Decimal.read(String(minTurnover))) < 0)
    return {
      skipped: `${coin}/${quote} traded ${turnover.round(0, 'floor').toString()} USDT in 24 hours on ${exchange}, less than the ${minTurnover} USDT of the subscription`,
    };
  if (openSignals >= maxOpenSignals)
    return {
      skipped: `${openSignals} signals are followed already, which is the most that the subscription allows`,
    };
  if (maxSignalsPerDay !== null && signalsOfDay >= maxSignalsPerDay)
    return {
      skipped: `${signalsOfDay} signals of the partner were followed today, which is the most that the subscription allows (one that is closed at a loss within 60 s counts twice); it goes on at 00:00 UTC`,
    };
  if (!balance) return { skipped: `${exchange} does not show the balance of ${account} to the key` };
  if ('unknown' in balance)
    return { postponed: `the balance on ${exchange} cannot be read now: ${balance.unknown}` };
  const { investPercent, maxExposure, maxSlippagePercent, stopOnExchange } = subscription;
  const settings = {
    investPercent: Decimal.read(investPercent),
    maxExposure: Decimal.read(maxExposure),
    maxSlippagePercent: Decimal.read(maxSlippagePercent),
    stopOnExchange: stopOnExchange && stopsStand,
    ...(restingTargets && { restingTargets }),
    stopMoveMs,
  };
  return planExecution(tradeSignalOf(signal), settings, rules, balance);
}

/** An execution without any event. Its revision is one below the first that is stored. */
function newExecution(
  { id: signalId, partnerId, channelId, terms }: PartnerSignal,
  { id: subscriptionId, userId, exchange, investPercent }: Subscription,
  { market, since, nowMs }: BareScene,
): StoredExecution {
  const status: Execution['status'] = 'queued';
  return {
    id: `${signalId}:${subscriptionId}`,
    signalId,
    partnerId,
    channelId,
    subscriptionId,
    userId,
    exchange,
    market,
    account: terms.account,
    marginMode: terms.marginType,
    slot: slotOf(subscriptionId),
    pair: pairName({ base: terms.coin, quote: terms.quote }),
    status,
    reason: null,
    state: null,
    investPercent,
    commandsDone: 0,
    watched: null,
    crossings: [],
    seenAt: null,
    orders: [],
    events: [],
    wish: null,
    fault: null,
    dueAt: null,
    revision: -1,
    createdAt: since ?? new Date(nowMs),
    endedAt: null,
    bookAt: null,
  };
}

const smaller = (one: string | null, other: string): string =>
  one === null ? other : Decimal.min(Decimal.read(one), Decimal.read(other)).toString();
