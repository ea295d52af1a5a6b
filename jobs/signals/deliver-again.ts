import { groupBy } from '../../compute/model/group-by.js';
import type { Storage } from '../../storage/index.js';
import type { LevelAnnouncer } from '../../storage/signals/level-announcements.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { PartnerSlot, StoredExecution } from '../../storage/signals/stored-execution.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import type { DueList } from '../durable/due-list.js';
import { endedUnplanned } from './ended-unplanned.js';
import { planDeliveries, type PlanTools } from './plan-deliveries.js';

export interface DeliverAgainTools extends PlanTools {
  storage: {
    executions: Pick<Storage['executions'], 'countOpen' | 'followedSince' | 'writeAll'>;
    halts: Pick<Storage['halts'], 'list'>;
    signals: Pick<Storage['signals'], 'ofIds'>;
    subscriptions: Pick<Storage['subscriptions'], 'ofIds'>;
  };
  due: Pick<DueList, 'add'>;
  levels: Pick<LevelAnnouncer, 'announce' | 'tell'>;
  wakeAt: (slot: PartnerSlot, atMs: number) => void;
}

/** Whether an execution waits for the answers of its exchange that its plan needs. */
export const isUnplanned = ({ state, endedAt }: Pick<StoredExecution, 'state' | 'endedAt'>): boolean =>
  state === null && endedAt === null;

/** Plans executions whose exchange did not answer when their signal was delivered. Answers whether any has a plan and a due time. */
export async function deliverAgain(
  tools: DeliverAgainTools,
  unplanned: readonly StoredExecution[],
): Promise<boolean> {
  if (unplanned.length === 0) return false;
  const { executions } = tools.storage;
  const planned = await planAgain(tools, unplanned);
  const written = await executions.writeAll(planned);
  const stored = planned.filter(({ id }) => written.has(id));
  const ready = stored.filter(({ state, dueAt }) => state && dueAt);
  await tools.due.add(ready);
  tools.levels.tell(stored);
  await tools.levels.announce(stored);
  for (const { partnerId, slot, dueAt } of stored)
    if (dueAt) tools.wakeAt({ partnerId, slot }, dueAt.getTime());
  return ready.length > 0;
}

async function planAgain(
  tools: DeliverAgainTools,
  unplanned: readonly StoredExecution[],
): Promise<StoredExecution[]> {
  const { signals, subscriptions, halts: allHalts } = tools.storage;
  const [foundSignals, found, halts] = await Promise.all([
    signals.ofIds([...new Set(unplanned.map(({ signalId }) => signalId))]),
    subscriptions.ofIds([...new Set(unplanned.map(({ subscriptionId }) => subscriptionId))]),
    allHalts.list(),
  ]);
  const followed = new Map(found.map((each) => [each.id, each]));
  const since = new Map(unplanned.map(({ subscriptionId, createdAt }) => [subscriptionId, createdAt]));
  const groups = [...groupBy(unplanned, ({ signalId }) => signalId)].map(async ([signalId, group]) => {
    const signal = foundSignals.find(({ id }) => id === signalId);
    const over = group.flatMap((each) => endedOf(each, signal, followed.get(each.subscriptionId)) ?? []);
    const rest = group.filter(({ id }) => !over.some((each) => each.id === id));
    if (!signal || rest.length === 0) return over;
    const own = rest.map(({ subscriptionId }) => followed.get(subscriptionId)!);
    const fresh = await planDeliveries(tools, signal, own, { halts, since });
    return [
      ...over,
      ...rest.map((before) =>
        planned(
          before,
          fresh.find(({ id }) => id === before.id)!,
        ),
      ),
    ];
  });
  return (await Promise.all(groups)).flat();
}

/** The ended execution if its signal, user or subscription ended it before it was planned; otherwise null. */
function endedOf(
  execution: StoredExecution,
  signal: PartnerSignal | undefined,
  subscription: Subscription | undefined,
): StoredExecution | null {
  const end = (status: 'cancelled' | 'closed' | 'skipped', reason: string) =>
    endedUnplanned(execution, status, reason, Date.now());
  if (signal?.status !== 'active') return end('cancelled', 'the partner cancelled the signal');
  if (execution.wish === 'close') return end('closed', 'the user closed it');
  if (!subscription) return end('skipped', 'the subscription was removed');
  return null;
}

/** The plan of an execution as its next revision. If the exchange still does not answer, the same line is not repeated. */
function planned(before: StoredExecution, fresh: StoredExecution): StoredExecution {
  const at = new Date();
  const answers = { at, type: 'resumed', cause: `${fresh.exchange} answers again`, figures: {} };
  const known = before.events.at(-1)?.cause;
  const lines = isUnplanned(fresh) ? fresh.events.filter(({ cause }) => cause !== known) : fresh.events;
  return {
    ...fresh,
    events: [...before.events, ...(fresh.state ? [answers] : []), ...lines],
    // Its orders are placed at once, because no delivery has to end first.
    dueAt: fresh.orders.length > 0 ? at : fresh.dueAt,
    revision: before.revision + 1,
  };
}
