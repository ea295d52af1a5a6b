import { Decimal } from '../../compute/model/decimal.js';
import { pairName } from '../../compute/model/market-pair.js';
import type { PairRules } from '../../compute/model/pair-rules.js';
import type { Price } from '../../compute/model/price.js';
import type { Execution } from '../../compute/signals/execution.js';
import { planExecution, type ExecutionPlan } from '../../compute/signals/plan-execution.js';
import { encodeExecution } from '../../storage/signals/execution-json.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { StoredExecution, StoredOrder } from '../../storage/signals/stored-execution.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import { applyCommands } from './apply-commands.js';
import { ExecutionRun } from './execution-run.js';
import { slotOf } from './partner-slots.js';
import { tradeSignalOf } from './trade-signal-of.js';

/**
 * Orders that a delivery stores are placed when it has reached every subscriber. What was listed for that and is lost is found
 * after this time.
 */
const deliveryMs = 25_000;

/** What a signal meets when it is delivered to a subscriber. */
export interface DeliveryScene {
  market: string;
  /** null: the exchange does not trade the pair. */
  rules: PairRules | null;
  /** What the user has of the quote asset and no order locks; null: it cannot be read. */
  balance: Decimal | null;
  /** Why the exchange did not answer; null if it did. */
  fault: string | null;
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
  /** Whether stop orders can rest at the venue; prices are watched for them otherwise. Default: they can. */
  stopsStand?: boolean;
  nowMs: number;
}

/**
 * A signal as the execution of one subscriber, with the commands that have come meanwhile, and with the orders that the
 * present price asks for. They are not sent: that is done from the stored document. A subscriber who does not follow the
 * signal has an execution that says why.
 */
export function deliveredExecution(
  signal: PartnerSignal,
  subscription: Subscription,
  scene: DeliveryScene,
): StoredExecution {
  const plan = planned(signal, subscription, scene);
  if ('skipped' in plan) return skippedExecution(signal, subscription, scene, plan.skipped);
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
  scene: Pick<DeliveryScene, 'market' | 'nowMs'>,
  reason: string,
): StoredExecution {
  const empty = newExecution(signal, subscription, scene);
  const at = new Date(scene.nowMs);
  const events = [{ at, type: 'skipped', cause: reason, figures: {} }];
  return { ...empty, status: 'skipped', reason, events, endedAt: at, revision: 0 };
}

/**
 * An order as no worker has sent it yet. Where an order may arrive late, one that may have been sent would first have to be
 * proved to be absent; where placing it again answers the order that stands, a write is saved.
 */
const asUnsent = (order: StoredOrder, { lateMs }: DeliveryScene): StoredOrder =>
  lateMs === undefined || order.status !== 'sent' ? order : { ...order, status: 'planned' };

function planned(
  signal: PartnerSignal,
  subscription: Subscription,
  { rules, balance, fault, openSignals, stopMoveMs, stopsStand = true }: DeliveryScene,
): ExecutionPlan {
  const { coin, quote, side, account } = signal.terms;
  const { exchange, maxOpenSignals } = subscription;
  if (subscription.isPaused) return { skipped: 'the subscription is paused' };
  if (!subscription.autoInvest) return { skipped: 'auto-invest is off' };
  if (!subscription.sides.includes(side)) return { skipped: `the subscription follows no ${side} signals` };
  if (!subscription.accounts.includes(account))
    return { skipped: `the subscription follows no signals on ${account} accounts` };
  if (fault !== null) return { skipped: `${exchange} cannot be traded on now: ${fault}` };
  if (!rules) return { skipped: `${exchange} does not trade ${coin}/${quote}` };
  if (openSignals >= maxOpenSignals)
    return {
      skipped: `${openSignals} signals are followed already, which is the most that the subscription allows`,
    };
  if (!balance) return { skipped: `the balance on ${exchange} cannot be read` };
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
  { market, nowMs }: Pick<DeliveryScene, 'market' | 'nowMs'>,
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
    createdAt: new Date(nowMs),
    endedAt: null,
    bookAt: null,
  };
}

const smaller = (one: string | null, other: string): string =>
  one === null ? other : Decimal.min(Decimal.read(one), Decimal.read(other)).toString();
