import type { Decimal } from '../../compute/model/decimal.js';
import type { Prices } from '../../storage/candles/prices.js';
import type { TradingVenue } from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { isHaltedBy, type TradingHalt } from '../../storage/signals/halts.js';
import { inChunks } from '../../storage/signals/in-chunks.js';
import type { LevelAnnouncer } from '../../storage/signals/level-announcements.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { PartnerSlot, StoredExecution } from '../../storage/signals/stored-execution.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import type { DueList } from '../durable/due-list.js';
import type { WakeQueue } from '../durable/wake-queue.js';
import type { SubscriberPages } from './subscriber-pages.js';
import { deliveredExecution, skippedExecution, type DeliveryScene } from './delivered-execution.js';
import { groupBy } from '../../compute/model/group-by.js';
import { inWords, isPassing, nextFault } from './next-fault.js';
import { advanceWakes } from './partner-slots.js';
import { venueScene, type VenueScene } from './venue-scene.js';

export interface DeliverTools {
  storage: Pick<Storage, 'executions' | 'halts' | 'signals'>;
  subscribers: Pick<SubscriberPages, 'next'>;
  prices: Pick<Prices, 'find'>;
  /** The venues by the name that subscriptions use. */
  venues: ReadonlyMap<string, TradingVenue>;
  queue: Pick<WakeQueue, 'wake'>;
  due: Pick<DueList, 'add'>;
  levels: Pick<LevelAnnouncer, 'announce'>;
  /** The market whose prices are followed. */
  market: string;
  /** See `DeliveryScene`. Default: 0. */
  stopMoveMs?: number;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
  log: Pick<Log, 'error'>;
}

/** Subscribers to which one job delivers. */
const chunk = 400;
/** Executions that are planned and stored together. */
const portion = 100;

/**
 * Delivers a chunk of the signal of a partner that is due for longest, or passes its commands on. Answers whether there was
 * one. A delivery that is made twice stores each execution once.
 */
export async function deliverSignals(tools: DeliverTools, { partnerId }: PartnerSlot): Promise<boolean> {
  const { storage, queue } = tools;
  const [signal] = await storage.signals.due(Date.now(), 1, partnerId);
  if (!signal) return false;
  try {
    const isLeft = !signal.delivery.isDone && signal.status === 'active';
    const isDone = isLeft ? await deliverChunk(tools, signal) : await finish(tools, signal);
    // The orders of a delivery that goes on wait for its end: until then another crash would find subscribers left out.
    if (isDone || signal.commands.length > 0) await queue.wake(advanceWakes(partnerId));
  } catch (error) {
    if (isPassing(error)) throw error;
    await noteFault(tools, signal, error);
  }
  return true;
}

/** Stores why a delivery failed. It is tried again later, and other signals of the partner go first. */
async function noteFault(
  { storage, log }: DeliverTools,
  signal: PartnerSignal,
  error: unknown,
): Promise<void> {
  const next = nextFault(signal.fault, error, Date.now());
  log.error({ signal: signal.id, err: error }, `signal not delivered; ${inWords(next.fault)}`);
  await storage.signals.fail(signal, next);
}

/** Answers whether it was the last chunk. */
async function deliverChunk(tools: DeliverTools, signal: PartnerSignal): Promise<boolean> {
  const { storage, due } = tools;
  const { id, commands, delivery } = signal;
  const { subscriptions, after, isLast: isDone } = await tools.subscribers.next(signal, chunk);
  await deliverAll(tools, signal, subscriptions);
  // What was delivered before a command has to apply it, too.
  if (commands.length > 0)
    await due.add(await storage.executions.passCommands(id, commands.length, Date.now()));
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
async function finish({ storage, due }: DeliverTools, signal: PartnerSignal): Promise<boolean> {
  const { id, commands, delivery } = signal;
  await due.add(await storage.executions.passCommands(id, commands.length, Date.now()));
  await storage.signals.advance(signal, { ...delivery, isDone: true }, null);
  return true;
}

/** Stores the executions of subscribers. One portion is planned while the one before it is being stored. */
async function deliverAll(
  tools: DeliverTools,
  signal: PartnerSignal,
  subscriptions: readonly Subscription[],
): Promise<void> {
  const halts = await tools.storage.halts.list();
  let storing = Promise.resolve();
  for (const some of inChunks(subscriptions, portion)) {
    const executions = await planAll(tools, signal, some, halts);
    await storing;
    storing = store(tools, executions);
    // It is awaited above or below; until then its failure is not unhandled.
    storing.catch(() => undefined);
  }
  await storing;
}

async function store(tools: DeliverTools, executions: readonly StoredExecution[]): Promise<void> {
  await tools.storage.executions.addAll(executions);
  await tools.due.add(executions.filter(({ dueAt }) => dueAt));
  await tools.levels.announce(executions);
}

async function planAll(
  tools: DeliverTools,
  signal: PartnerSignal,
  subscriptions: readonly Subscription[],
  halts: readonly TradingHalt[],
): Promise<StoredExecution[]> {
  const { storage, stopMoveMs = 0 } = tools;
  const counting = storage.executions.countOpen(subscriptions.map(({ id }) => id));
  const groups = [...groupBy(subscriptions, (each) => each.exchange)];
  const asking = Promise.all(groups.map(([exchange, group]) => sceneOf(tools, signal, exchange, group)));
  const [open, scenes] = await Promise.all([counting, asking]);
  return groups.flatMap(([exchange, group], n) => {
    const { balances, ...said } = scenes[n];
    const isHalted = isHaltedBy(halts, { exchange, partnerId: signal.partnerId });
    const lateMs = tools.venues.get(exchange)?.lateMs;
    return group.map((subscription) => {
      const balance = balances.get(subscription.userId) ?? null;
      const openSignals = open.get(subscription.id) ?? 0;
      const shared = { ...said, isHalted, stopMoveMs, lateMs };
      return planOrSkip(tools, signal, subscription, { ...shared, balance, openSignals, nowMs: Date.now() });
    });
  });
}

/** What an exchange says of the pair of a signal and of the balances of subscribers. */
async function sceneOf(
  tools: DeliverTools,
  { terms }: PartnerSignal,
  exchange: string,
  group: readonly Subscription[],
): Promise<VenueScene> {
  const venue = tools.venues.get(exchange);
  if (!venue) return noVenue(tools, exchange);
  const { coin: base, quote, account, marginType } = terms;
  return venueScene(tools, venue, {
    pair: { base, quote },
    account,
    isIsolated: account === 'MARGIN' && marginType === 'ISOLATED',
    userIds: group.map(({ userId }) => userId),
  });
}

/** A subscriber for whom the plan fails is left out: the others do not wait for the mend. */
function planOrSkip(
  { log }: DeliverTools,
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

const noVenue = ({ market }: DeliverTools, exchange: string): VenueScene => ({
  ...{ market, rules: null, balances: new Map<string, Decimal>(), price: null },
  fault: `no orders are placed on ${exchange}`,
  stopsStand: false,
});
