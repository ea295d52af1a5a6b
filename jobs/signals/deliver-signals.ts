import type { Decimal } from '../../compute/model/decimal.js';
import type { Prices } from '../../storage/candles/prices.js';
import type { TradingVenue } from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import { isHaltedBy } from '../../storage/signals/halts.js';
import type { LevelAnnouncer } from '../../storage/signals/level-announcements.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { PartnerSlot, StoredExecution } from '../../storage/signals/stored-execution.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import type { WakeQueue } from '../durable/wake-queue.js';
import type { SubscriberPages } from './subscriber-pages.js';
import { deliveredExecution } from './delivered-execution.js';
import { groupBy } from '../../compute/model/group-by.js';
import { advanceWakes } from './partner-slots.js';
import { venueScene, type VenueScene } from './venue-scene.js';

export interface DeliverTools {
  storage: Pick<Storage, 'executions' | 'halts' | 'signals'>;
  subscribers: Pick<SubscriberPages, 'next'>;
  prices: Pick<Prices, 'find'>;
  /** The venues by the name that subscriptions use. */
  venues: ReadonlyMap<string, TradingVenue>;
  queue: Pick<WakeQueue, 'wake'>;
  levels: Pick<LevelAnnouncer, 'announce'>;
  /** The market whose prices are followed. */
  market: string;
  /** See `DeliveryScene`. Default: 0. */
  stopMoveMs?: number;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
}

/** Subscribers to which one job delivers. */
const chunk = 100;

/**
 * Delivers a chunk of the signal of a partner that is due for longest, or passes its commands on. Answers whether there was
 * one. A delivery that is made twice stores each execution once.
 */
export async function deliverSignals(tools: DeliverTools, { partnerId }: PartnerSlot): Promise<boolean> {
  const { storage, queue } = tools;
  const [signal] = await storage.signals.due(Date.now(), 1, partnerId);
  if (!signal) return false;
  const isLeft = !signal.delivery.isDone && signal.status === 'active';
  const isDone = isLeft ? await deliverChunk(tools, signal) : await finish(tools, signal);
  // The orders of a delivery that goes on wait for its end: until then another crash would find subscribers left out.
  if (isDone || signal.commands.length > 0) await queue.wake(advanceWakes(partnerId));
  return true;
}

/** Answers whether it was the last chunk. */
async function deliverChunk(tools: DeliverTools, signal: PartnerSignal): Promise<boolean> {
  const { storage, levels } = tools;
  const { id, commands, delivery } = signal;
  const { subscriptions, after, isLast: isDone } = await tools.subscribers.next(signal, chunk);
  const executions = await planAll(tools, signal, subscriptions);
  await storage.executions.addAll(executions);
  await levels.announce(executions);
  // What was delivered before a command has to apply it, too.
  if (commands.length > 0) await storage.executions.passCommands(id, commands.length, Date.now());
  await storage.signals.advance(
    signal,
    {
      after,
      isDone,
      delivered: delivery.delivered + subscriptions.length,
    },
    isDone ? null : new Date(),
  );
  return isDone;
}

/** Ends the delivery of a cancelled signal, and passes the commands of a delivered one on. */
async function finish({ storage }: DeliverTools, signal: PartnerSignal): Promise<boolean> {
  const { id, commands, delivery } = signal;
  await storage.executions.passCommands(id, commands.length, Date.now());
  await storage.signals.advance(signal, { ...delivery, isDone: true }, null);
  return true;
}

async function planAll(
  tools: DeliverTools,
  signal: PartnerSignal,
  subscriptions: readonly Subscription[],
): Promise<StoredExecution[]> {
  const { storage } = tools;
  const userIds = subscriptions.map(({ userId }) => userId);
  const [open, halts] = await Promise.all([storage.executions.countOpen(userIds), storage.halts.list()]);
  const { coin: base, quote, account } = signal.terms;
  const planned = [];
  for (const [exchange, group] of groupBy(subscriptions, (each) => each.exchange)) {
    const asked = { pair: { base, quote }, account, userIds: group.map(({ userId }) => userId) };
    const venue = tools.venues.get(exchange);
    const { balances, ...said } = venue ? await venueScene(tools, venue, asked) : noVenue(tools, exchange);
    const isHalted = isHaltedBy(halts, { exchange, partnerId: signal.partnerId });
    for (const subscription of group) {
      const balance = balances.get(subscription.userId) ?? null;
      const openSignals = open.get(subscription.id) ?? 0;
      const { stopMoveMs = 0 } = tools;
      const scene = { ...said, balance, openSignals, isHalted, stopMoveMs, nowMs: Date.now() };
      planned.push(deliveredExecution(signal, subscription, scene));
    }
  }
  return planned;
}

const noVenue = ({ market }: DeliverTools, exchange: string): VenueScene => ({
  ...{ market, rules: null, balances: new Map<string, Decimal>(), price: null },
  fault: `no orders are placed on ${exchange}`,
});
