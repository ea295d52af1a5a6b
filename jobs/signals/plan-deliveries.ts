import { groupBy } from '../../compute/model/group-by.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import { utcDayStart } from '../../compute/model/utc-day.js';
import type { Prices } from '../../storage/candles/prices.js';
import type { TradingVenue } from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { isHaltedBy, type TradingHalt } from '../../storage/signals/halts.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { StoredExecution } from '../../storage/signals/stored-execution.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import {
  deliveredExecution,
  skippedExecution,
  wouldFollow,
  type DeliveryScene,
} from './delivered-execution.js';
import { venueScene, type VenueScene } from './venue-scene.js';
import { Decimal } from '../../compute/model/decimal.js';
import type { DayExecution } from '../../storage/signals/executions.js';

/** A signal that is closed at a loss within this time (ms) after its first fill serves its partner alone. */
const quickMs = 60_000;

/** How many signals a user has followed, by user; one that was closed at a loss within a minute counts twice. */
export function signalsToday(followed: readonly DayExecution[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of followed) {
    const weight = isQuickLoss(each) ? 2 : 1;
    counts.set(each.userId, (counts.get(each.userId) ?? 0) + weight);
  }
  return counts;
}

function isQuickLoss({ endedAt, orders, state }: DayExecution): boolean {
  const times = orders.flatMap(({ fills }) => fills.map(({ at }) => at.getTime()));
  if (!endedAt || !state || times.length === 0) return false;
  if (Math.max(...times) - Math.min(...times) >= quickMs) return false;
  const { entryValue, exitValue, quoteFees, funding } = state.position;
  const gain = Decimal.read(exitValue).minus(Decimal.read(entryValue));
  const earned = state.side === 'long' ? gain : gain.negated();
  return earned.minus(Decimal.read(quoteFees)).plus(Decimal.read(funding)).sign < 0;
}

export interface PlanTools {
  storage: { executions: Pick<Storage['executions'], 'countOpen' | 'followedSince'> };
  prices: Pick<Prices, 'find'>;
  /** The venues by the name that subscriptions use. */
  venues: ReadonlyMap<string, TradingVenue>;
  /** The market whose prices are followed. */
  market: string;
  /** See `DeliveryScene`. Default: 0. */
  stopMoveMs?: number;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
  /** Called for users to whose keys an exchange does not show the balance. */
  checkKey?: (venue: TradingVenue, userId: string, pair: PairSymbols) => void;
  log: Pick<Log, 'error'>;
}

/**
 * How long (ms) a delivery waits for the balance of a subscriber, so that it does not delay the others: his execution is postponed, and
 * then waits as long as it takes.
 */
const balanceWaitMs = 3_000;

export interface PlanTerms {
  halts: readonly TradingHalt[];
  /** When the exchange was first asked, by subscription, for executions that wait for its answer. */
  since?: ReadonlyMap<string, Date>;
}

/** Plans the executions of a signal for subscribers from the present answers of their exchanges. Stores nothing. */
export async function planDeliveries(
  tools: PlanTools,
  signal: PartnerSignal,
  subscriptions: readonly Subscription[],
  { halts, since }: PlanTerms,
): Promise<StoredExecution[]> {
  const { storage, stopMoveMs = 0 } = tools;
  const open = await storage.executions.countOpen(subscriptions.map(({ id }) => id));
  const limited = subscriptions.filter(({ maxSignalsPerDay }) => maxSignalsPerDay !== null);
  const midnight = new Date(utcDayStart(Date.now()));
  const users = limited.map(({ userId }) => userId);
  const followed = await storage.executions.followedSince(signal.partnerId, users, midnight);
  // A delivery that is repeated finds its own executions.
  const today = signalsToday(followed.filter(({ id }) => !id.startsWith(signal.id)));
  // The count includes an execution that waits for the exchange.
  const openSignalsOf = ({ id }: Subscription) => (open.get(id) ?? 0) - (since?.has(id) ? 1 : 0);
  const groups = [...groupBy(subscriptions, (each) => each.exchange)];
  const scenes = await Promise.all(
    groups.map(([exchange, group]) => {
      const followers = group.filter((each) => wouldFollow(signal, each, openSignalsOf(each)));
      return sceneOf(tools, signal, { exchange, followers, withinMs: since ? undefined : balanceWaitMs });
    }),
  );
  return groups.flatMap(([exchange, group], n) => {
    const { balances, ...said } = scenes[n];
    const isHalted = isHaltedBy(halts, { ...signal, exchange });
    const lateMs = tools.venues.get(exchange)?.lateMs;
    return group.map((subscription) => {
      const { id, userId } = subscription;
      const openSignals = openSignalsOf(subscription);
      const signalsOfDay = today.get(userId) ?? 0;
      const own = { balance: balances.get(userId) ?? null, openSignals, signalsOfDay, since: since?.get(id) };
      const shared = { ...said, isHalted, stopMoveMs, lateMs };
      return planOrSkip(tools, signal, subscription, { ...shared, ...own, nowMs: Date.now() });
    });
  });
}

/** The answers of an exchange about the pair of a signal and the balances of the subscribers who would follow it. */
async function sceneOf(
  tools: PlanTools,
  { terms }: PartnerSignal,
  {
    exchange,
    followers,
    withinMs,
  }: { exchange: string; followers: readonly Subscription[]; withinMs: number | undefined },
): Promise<VenueScene> {
  const venue = tools.venues.get(exchange);
  if (!venue) return noVenue(tools, exchange);
  const { coin: base, quote, account, marginType } = terms;
  const pair = { base, quote };
  const scene = await venueScene(tools, venue, {
    pair,
    account,
    isIsolated: account === 'MARGIN' && marginType === 'ISOLATED',
    asksTurnover: followers.some(({ minTurnover }) => minTurnover !== null),
    userIds: followers.map(({ userId }) => userId),
    withinMs,
  });
  if (scene.rules)
    for (const { userId } of followers)
      if (!scene.balances.has(userId)) tools.checkKey?.(venue, userId, pair);
  return scene;
}

/** Skips a subscriber whose plan fails by a fault of the code, so that the others get the signal. */
function planOrSkip(
  { log }: PlanTools,
  signal: PartnerSignal,
  subscription: Subscription,
  scene: DeliveryScene,
): StoredExecution {
  try {
    return deliveredExecution(signal, subscription, scene);
  } catch (error) {
    log.error({ signal: signal.id, subscription: subscription.id, err: error }, 'signal not planned');
    return skippedExecution(signal, subscription, scene, 'the service failed to plan it');
  }
}

const noVenue = ({ market }: PlanTools, exchange: string): VenueScene => ({
  market,
  rules: null,
  balances: new Map(),
  price: null,
  fault: { reason: `no orders are placed on ${exchange}`, isLasting: true },
  stopsStand: false,
});
