import type { Storage } from '../../storage/index.js';
import { inChunks } from '../../compute/model/in-chunks.js';
import type { LevelAnnouncer } from '../../storage/signals/level-announcements.js';
import type { PartnerSignal } from '../../storage/signals/partner-signal.js';
import type { PartnerSlot, StoredExecution } from '../../storage/signals/stored-execution.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import type { DueList } from '../durable/due-list.js';
import type { WakeQueue } from '../durable/wake-queue.js';
import type { SubscriberPages } from './subscriber-pages.js';
import { advanceWakes } from './partner-slots.js';
import { planDeliveries, type PlanTools } from './plan-deliveries.js';
import { unservedLine } from './unserved-executions.js';
import type { Log } from '../../storage/process/log.js';
import { AppError } from '../../compute/model/errors.js';
import { isMongoUnavailable } from '../../storage/servers/mongo.js';
import { dueNever, mostFaults, type StepFault } from '../../storage/signals/step-fault.js';

const firstRetryMs = 1_000;

/** The fault of a row whose step has failed, and when it is tried again: later each time, and never after the last failure. */
function nextFault(
  before: StepFault | null,
  error: unknown,
  nowMs: number,
): { fault: StepFault; dueAt: Date } {
  const count = (before?.count ?? 0) + 1;
  const message = error instanceof Error ? error.message : String(error);
  return {
    fault: { message, count, at: new Date(nowMs) },
    dueAt: count < mostFaults ? new Date(nowMs + firstRetryMs * 2 ** count) : dueNever,
  };
}

/** What happens next to a row with a fault, for the log. */
const faultInWords = ({ count }: StepFault): string =>
  count < mostFaults ? 'it is tried again' : 'it is left to the operator';

/** Whether an error says nothing about the row: a server does not answer, and the step is repeated when it does. */
export const isOutage = (error: unknown): boolean =>
  isMongoUnavailable(error) || (error instanceof AppError && error.kind === 'unavailable');

/**
 * The next revision of an execution that could not be advanced: with its fault, and due when it is tried again; after the last time with
 * a line for its owner. Logs the error.
 */
export function faultedExecution(
  execution: StoredExecution,
  error: unknown,
  log: Pick<Log, 'error'>,
): StoredExecution {
  const { fault, dueAt } = nextFault(execution.fault, error, Date.now());
  log.error({ execution: execution.id, err: error }, `execution not advanced; ${faultInWords(fault)}`);
  const line = unservedLine('a fault of the service, which the operator sees, stops this signal', Date.now());
  const events = dueAt === dueNever ? [...execution.events, line] : execution.events;
  return { ...execution, events, fault, dueAt, revision: execution.revision + 1 };
}

export interface DeliverTools extends PlanTools {
  storage: Pick<Storage, 'channelRecords' | 'executions' | 'halts' | 'signals'>;
  subscribers: Pick<SubscriberPages, 'next'>;
  queue: Pick<WakeQueue, 'wake'>;
  due: Pick<DueList, 'add'>;
  levels: Pick<LevelAnnouncer, 'announce' | 'tell'>;
}

/** How many subscribers one job delivers to at most. */
const chunk = 1_000;
/** How many executions are planned and stored together. */
const portion = 250;

/**
 * Delivers a chunk of the partner's signal that has been due for longest, or passes its commands on. Answers whether a signal
 * was due. A delivery that is repeated stores each execution once.
 */
export async function deliverSignals(tools: DeliverTools, { partnerId }: PartnerSlot): Promise<boolean> {
  const { storage, queue } = tools;
  const [signal] = await storage.signals.due(Date.now(), 1, partnerId);
  if (!signal) return false;
  try {
    const isLeft = !signal.delivery.isDone && signal.status === 'active';
    const isDone = isLeft ? await deliverChunk(tools, signal) : await finish(tools, signal);
    // Orders wait until the signal is delivered to every subscriber, so that a crash in between leaves no subscriber behind.
    if (isDone || signal.commands.length > 0) await queue.wake(advanceWakes(partnerId));
  } catch (error) {
    if (isOutage(error)) throw error;
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
  log.error({ signal: signal.id, err: error }, `signal not delivered; ${faultInWords(next.fault)}`);
  await storage.signals.fail(signal, next);
}

/** Answers whether it was the last chunk. */
async function deliverChunk(tools: DeliverTools, signal: PartnerSignal): Promise<boolean> {
  const { storage, due } = tools;
  const { id, commands, delivery } = signal;
  const { subscriptions, after, isLast: isDone } = await tools.subscribers.next(signal, chunk);
  await deliverAll(tools, signal, subscriptions);
  // Executions that were delivered before a command have to apply it, too.
  if (commands.length > 0)
    await due.add(await storage.executions.passCommands(id, commands.length, Date.now()));
  // Its record counts the signal, and tells whether the channel churns.
  if (isDone) await storage.channelRecords.markDue([{ channelId: signal.channelId, signalId: id }]);
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
    const executions = await planDeliveries(tools, signal, some, { halts });
    await storing;
    storing = store(tools, executions);
    // It is awaited above or below. This handler keeps an earlier failure from counting as unhandled.
    storing.catch(() => undefined);
  }
  await storing;
}

async function store(tools: DeliverTools, planned: readonly StoredExecution[]): Promise<void> {
  // A delivery that is repeated may plan otherwise than the one before it, whose executions count.
  const executions = await tools.storage.executions.addAll(planned);
  // An execution that is not planned yet becomes due later.
  await tools.due.add(executions.filter(({ dueAt, state }) => dueAt && state));
  tools.levels.tell(executions);
  await tools.levels.announce(executions);
}
