import { groupBy } from '../../compute/model/group-by.js';
import type { Connection } from '../../storage/accounts/connections.js';
import { tellOwner } from '../../storage/mail/tell-owner.js';
import { gathered } from '../../storage/process/shared-calls.js';
import type { TradingHalt } from '../../storage/signals/halts.js';
import type { PartnerSlot, StoredExecution } from '../../storage/signals/stored-execution.js';
import { AdvanceBatch, type AdvanceTools } from './advance-batch.js';
import { deliverAgain, isUnplanned } from './deliver-again.js';
import { faultedExecution, isOutage } from './deliver-signals.js';

/** How many executions one job advances at most. */
const batch = 100;

/** How many ids are read from MongoDB at once when the list in Redis is empty. */
const mostListed = 10_000;

/** Advances due executions of a slot, and answers whether more may be due. */
export async function advanceExecutions(tools: AdvanceTools, slot: PartnerSlot): Promise<boolean> {
  const { executions } = tools.storage;
  const listed = await tools.due.take(slot, batch);
  const { ids, isLeft } = listed.length > 0 ? { ids: listed, isLeft: true } : await listDue(tools, slot);
  const due = ids.length === 0 ? [] : await executions.waitingOf(ids);
  const isMore = await advanceApart(tools, slot, due);
  if (listed.length > 0) await tools.due.done(slot);
  return isMore || isLeft;
}

/**
 * Advances the executions of all exchanges at the same time, on real ones each by itself: what protects one of them is not late because
 * another exchange, account or order is slow or away.
 */
async function advanceApart(
  tools: AdvanceTools,
  slot: PartnerSlot,
  due: readonly StoredExecution[],
): Promise<boolean> {
  const isReal = ({ exchange }: StoredExecution) => tools.venues.get(exchange)?.lateMs !== undefined;
  const groups = groupBy(due, (each) => `${each.exchange} ${isReal(each) ? each.id : ''}`);
  const gathering = { ...tools, storage: gatheredStorage(tools.storage) };
  const works = [...groups.values()].map((group) => {
    const advance = () => advanceTogether(gathering, slot, group);
    return isReal(group[0]) ? tools.underWay.run(group[0], advance) : advance();
  });
  const ended = await Promise.allSettled(works);
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return ended.some((each) => each.status === 'fulfilled' && each.value);
}

/** Advances executions together; if that fails, one by one, so that an execution which always fails does not block the others. */
async function advanceTogether(
  tools: AdvanceTools,
  slot: PartnerSlot,
  due: readonly StoredExecution[],
): Promise<boolean> {
  if (due.length === 0) return false;
  try {
    const isAgain = await deliverAgain(tools, due.filter(isUnplanned));
    return (await new AdvanceBatch(tools, slot).run(due)) || isAgain;
  } catch (error) {
    if (isOutage(error)) throw error;
    if (due.length === 1) return noteFault(tools, due[0].id, error);
  }
  let isLeft = false;
  for (const { id } of due) {
    // It is read again, because a part of it may have been written before the failure.
    const again = await tools.storage.executions.waitingOf([id]);
    if (await advanceTogether(tools, slot, again)) isLeft = true;
  }
  return isLeft;
}

async function noteFault({ storage, log }: AdvanceTools, id: string, error: unknown): Promise<false> {
  const [execution] = await storage.executions.ofIds([id]);
  if (execution && !execution.isHandedOver) {
    const faulted = faultedExecution(execution, error, log);
    if (faulted.events.length > execution.events.length)
      await tellOwner(storage, execution.userId, 'unserved');
    await storage.executions.writeAll([faulted]);
  }
  return false;
}

/** The first due executions in MongoDB. The others are added to the list in Redis for the next jobs. */
async function listDue({ due, opened, storage }: AdvanceTools, slot: PartnerSlot) {
  const all = await storage.executions.dueIds(slot, Date.now(), mostListed);
  // An execution in `opened` waits only for a write that is about to happen.
  const found = all.filter((id) => !opened.has(id));
  const later = found.slice(batch);
  await due.add(later.map((id) => ({ id, ...slot })));
  return { ids: found.slice(0, batch), isLeft: later.length > 0 };
}

/** What executions that are advanced at the same time read and write is asked for together: many questions cost far more than one. */
function gatheredStorage(storage: AdvanceTools['storage']): AdvanceTools['storage'] {
  const { connections, executions, halts, openExecutions, signals, subscriptions, trades } = storage;
  const listed = gathered<null, TradingHalt[]>(() => halts.list());
  const closed = gathered((asked: readonly { userId: string; since: Date }[]) => {
    const since = Math.min(...asked.map((each) => each.since.getTime()));
    return trades.closedSince([...new Set(asked.map(({ userId }) => userId))], new Date(since));
  });
  return {
    ...storage,
    connections: {
      displaced: gathered((own: readonly Connection[]) => connections.displaced(own)),
      ofUsers: gathered((ids: readonly string[]) => connections.ofUsers(ids)),
    },
    executions: {
      countOpen: (ids) => executions.countOpen(ids),
      followedSince: (...asked) => executions.followedSince(...asked),
      dueIds: (...asked) => executions.dueIds(...asked),
      ofIds: (ids) => executions.ofIds(ids),
      waitingOf: (ids) => executions.waitingOf(ids),
      wake: (...asked) => executions.wake(...asked),
      writeAll: gathered((all: readonly StoredExecution[]) => executions.writeAll(all)),
    },
    halts: { list: () => listed([null]) },
    openExecutions: {
      leveraged: (...asked) => openExecutions.leveraged(...asked),
      onAccount: (...asked) => openExecutions.onAccount(...asked),
      ofUsers: gathered((ids: readonly string[]) => openExecutions.ofUsers(ids)),
    },
    signals: { ofIds: gathered((ids: readonly string[]) => signals.ofIds(ids)) },
    subscriptions: { ofIds: gathered((ids: readonly string[]) => subscriptions.ofIds(ids)) },
    trades: {
      closedSince: (ids, since) => closed(ids.map((userId) => ({ userId, since }))),
    },
  };
}
