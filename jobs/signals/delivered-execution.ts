import { Decimal } from '../../compute/model/decimal.js';
import { pairName } from '../../compute/model/market-pair.js';
import type { PairRules } from '../../compute/model/pair-rules.js';
import type { Price } from '../../compute/model/price.js';
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
import type { SceneFault } from './venue-scene.js';

/**
 * Orders that a delivery stores are placed when it has reached every subscriber, or after this time. What was listed for that and
 * is lost with Redis is found by the next sweep.
 */
export const deliveryMs = 25_000;

/** What a signal meets when it is delivered to a subscriber. */
export interface DeliveryScene {
  market: string;
  /** null: the exchange does not trade the pair. */
  rules: PairRules | null;
  /** What the user has of the quote asset and no order locks; null: the exchange refuses to show it. */
  balance: Decimal | VenueSilence | null;
  /** See `VenueScene`. */
  fault: SceneFault | null;
  /** Signals that the subscription follows now. */
  openSignals: number;
  /** Whether the operator has halted new entries. */
  isHalted: boolean;
  /** The present price; null: none is known, or it is too old to act on. */
  price: Price | null;
  /** How long a stop order stands at least before one that follows the price replaces it. */
  stopMoveMs: number;
  /** See `TradingVenue`. */
  lateMs?: number | undefined;
  /** When the exchange was asked first; absent: now. */
  since?: Date | undefined;
  /** Whether stop orders can rest at the venue; prices are watched for them otherwise. Default: they can. */
  stopsStand?: boolean;
  nowMs: number;
}

/** What is known of the place of an execution before it is planned. */
type BareScene = Pick<DeliveryScene, 'market' | 'since' | 'nowMs'>;

/**
 * A signal as the execution of one subscriber, with the commands that have come meanwhile, and with the orders that the
 * present price asks for. They are not sent: that is done from the stored document. A subscriber who does not follow the
 * signal has an execution that says why. Where the exchange cannot be asked, it has one without a state, which is due when
 * the exchange is asked again; once the time for the entry has ended, it has expired.
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
  const run = new ExecutionRun({ ...empty, investPercent, state, events: lines });
  run.applyHalt(scene.isHalted, scene.nowMs);
  applyCommands(run, signal.commands, scene.nowMs);
  if (scene.price) {
    const { price, time } = scene.price;
    run.applyPrice(Decimal.read(String(price)), new Date(time), scene.nowMs);
  }
  const stored = run.toStore(scene.nowMs);
  if (stored.orders.length === 0) return stored;
  const orders = stored.orders.map((order) => asUnsent(order, scene));
  return { ...stored, orders, dueAt: new Date(scene.nowMs + deliveryMs) };
}

/** A signal that a subscriber does not follow, and why. */
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
 * An order as no worker has sent it yet. Where an order may arrive late, one that may have been sent would first have to be
 * proved to be absent; where placing it again answers the order that stands, a write is saved.
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
  const { side, account } = terms;
  if (subscription.isPaused) return 'the subscription is paused';
  if (!subscription.autoInvest) return 'auto-invest is off';
  if (!subscription.sides.includes(side)) return `the subscription follows no ${side} signals`;
  if (!subscription.accounts.includes(account))
    return `the subscription follows no signals on ${account} accounts`;
  return null;
}

function planned(
  signal: PartnerSignal,
  subscription: Subscription,
  { rules, balance, fault, openSignals, stopMoveMs, stopsStand = true }: DeliveryScene,
): ExecutionPlan | { postponed: string } {
  const { coin, quote } = signal.terms;
  const { exchange, maxOpenSignals } = subscription;
  const unwanted = reasonNotWanted(signal, subscription);
  if (unwanted !== null) return { skipped: unwanted };
  if (fault) {
    const reason = `${exchange} cannot be traded on now: ${fault.reason}`;
    return fault.isLasting ? { skipped: reason } : { postponed: reason };
  }
  if (!rules) return { skipped: `${exchange} does not trade ${coin}/${quote}` };
  if (openSignals >= maxOpenSignals)
    return {
      skipped: `${openSignals} signals are followed already, which is the most that the subscription allows`,
    };
  if (!balance) return { skipped: `the balance on ${exchange} cannot be read` };
  if ('unknown' in balance)
    return { postponed: `the balance on ${exchange} cannot be read now: ${balance.unknown}` };
  const { investPercent, maxExposure, stopOnExchange } = subscription;
  const settings = {
    investPercent: Decimal.read(investPercent),
    maxExposure: Decimal.read(maxExposure),
    stopOnExchange: stopOnExchange && stopsStand,
    stopMoveMs,
  };
  return planExecution(tradeSignalOf(signal), settings, rules, balance);
}

/** An execution to which nothing has happened. Its revision is that before the first. */
function newExecution(
  { id: signalId, partnerId, channelId, terms }: PartnerSignal,
  { id: subscriptionId, userId, exchange, investPercent }: Subscription,
  { market, since, nowMs }: BareScene,
): StoredExecution {
  const status: Execution['status'] = 'queued';
  return {
    id: `${signalId}:${subscriptionId}`,
    ...{ signalId, partnerId, channelId, subscriptionId, userId, exchange, market },
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
