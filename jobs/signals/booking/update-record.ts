import { trackRecordOf } from '../../../compute/ledger/track-record-of.js';
import type { TrackRecord } from '../../../compute/model/track-record.js';
import type { Storage } from '../../../storage/index.js';
import type { DueChannel } from '../../../storage/ledger/channel-records.js';
import { isMongoUnavailable } from '../../../storage/servers/mongo.js';
import type { ListedSignal, SignalOutcome } from '../../../storage/ledger/signal-outcomes.js';
import { storeOutcomes, type OutcomeTools } from './store-outcomes.js';
import { churnOf, type ChurnFacts } from '../../../compute/ledger/churn-of.js';
import type { Log } from '../../../storage/process/log.js';
import type { Channel } from '../../../storage/signals/channel.js';

export interface RecordTools extends OutcomeTools {
  storage: OutcomeTools['storage'] &
    ChurnTools['storage'] &
    Pick<Storage, 'channelRecords' | 'channels' | 'subscriptions'>;
  log: ChurnTools['log'];
}

const dayMs = 86_400_000;

/** The time that the record of each period covers. */
const coveredMs = { '3M': 91 * dayMs, '6M': 182 * dayMs, '1y': 365 * dayMs } as const;

/** The start of the longest period that a record covers. */
export const recordStart = (nowMs: number): Date => new Date(nowMs - coveredMs['1y']);

/** Computes the record of a channel anew: the outcomes of the signals that are due, then the record from all outcomes. */
export async function updateRecord(tools: RecordTools, due: DueChannel, nowMs: number): Promise<void> {
  const { storage } = tools;
  const { channelId } = due;
  const channel = await storage.channels.find(channelId);
  if (!channel) return storage.channelRecords.remove(channelId);
  await storeOutcomes(tools, channelId, Object.keys(due.due), nowMs);
  const since = recordStart(nowMs);
  const [signals, outcomes, followers] = await Promise.all([
    storage.signalOutcomes.signalsOf(channel.partnerId, channelId, since),
    storage.signalOutcomes.ofChannel(channelId, since),
    storage.subscriptions.countFollowers(channelId),
  ]);
  await haltChurning(tools, channel, {
    created: signals.map(({ createdAt }) => createdAt),
    costs: [true, false].map((isPaper) => outcomes.filter((each) => each.isPaper === isPaper).map(costsOf)),
    nowMs,
  });
  const isTraded = new Set(outcomes.map(({ signalId }) => signalId));
  const over = signals.filter((each) => isOver(each, nowMs) && !isTraded.has(each.id)).map(({ id }) => id);
  const open = await storage.executionReads.openSignals(over);
  const recordOf = (period: keyof typeof coveredMs) =>
    recordSince(nowMs - coveredMs[period], { signals, outcomes, followers, open, nowMs });
  const records = { '3M': recordOf('3M'), '6M': recordOf('6M'), '1y': recordOf('1y') };
  await storage.channelRecords.put(due, records, new Date(nowMs));
}

const costsOf = ({ closedAt, followers, costPercent }: SignalOutcome) => ({
  at: closedAt.getTime(),
  followers,
  costPercent,
});

interface KnownOutcomes {
  signals: readonly ListedSignal[];
  outcomes: readonly SignalOutcome[];
  followers: { live: number; paper: number };
  /** The signals past their time for the entry that are still traded. */
  open: ReadonlySet<string>;
  nowMs: number;
}

/** Whether the time for the entry is over. */
const isOver = ({ entriesEndAt }: ListedSignal, nowMs: number): boolean =>
  entriesEndAt !== null && entriesEndAt <= nowMs;

/** The record of the signals that were created since a time. */
function recordSince(
  sinceMs: number,
  { signals, outcomes, followers, open, nowMs }: KnownOutcomes,
): TrackRecord {
  const counted = outcomes.filter(({ closedAt }) => closedAt.getTime() >= sinceMs);
  const resultsOf = (kind: keyof typeof followers) => ({
    followers: followers[kind],
    outcomes: new Map(
      counted
        .filter(({ isPaper }) => isPaper === (kind === 'paper'))
        .map((outcome) => [outcome.signalId, outcome]),
    ),
  });
  const covered = signals.filter(({ createdAt }) => createdAt >= sinceMs);
  const references = covered.flatMap(({ reference }) => (reference ? [reference] : []));
  return trackRecordOf(
    covered.map((signal) => ({
      id: signal.id,
      isCancelled: signal.isCancelled,
      isPast: isOver(signal, nowMs) && !open.has(signal.id),
    })),
    resultsOf('live'),
    resultsOf('paper'),
    {
      outcomes: references
        .filter(({ returnPercent }) => returnPercent !== null)
        .map(({ state, returnPercent, r, at }) => ({ returnPercent, r, isOpen: state === 'open', at: at! }))
        // An open gain counts once it is closed.
        .filter(({ isOpen, returnPercent }) => !isOpen || returnPercent! < 0)
        .sort((one, other) => one.at.getTime() - other.at.getTime()),
      unpriced: references.filter(({ state }) => state === 'unpriced').length,
    },
  );
}

/** A record is computed at most once in this time (ms). */
const calmMs = 10_000;

/**
 * Computes the records that are out of date, each by one process at a time. Answers how many. A record that fails does not
 * delay the others: its error is thrown at the end.
 */
export async function updateDueRecords(
  tools: RecordTools & { storage: Pick<Storage, 'leases'> },
  nowMs = Date.now(),
): Promise<number> {
  const { storage } = tools;
  const due = await storage.channelRecords.due(new Date(nowMs - calmMs));
  let updated = 0;
  const errors: unknown[] = [];
  for (const each of due) {
    const work = () => updateRecord(tools, each, nowMs);
    try {
      if (await storage.leases.attempt(`channel-record:${each.channelId}`, work)) updated++;
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return updated;
}

interface ChurnTools {
  storage: Pick<Storage, 'executionReads' | 'halts' | 'mails' | 'users'>;
  log: Pick<Log, 'warn'>;
}

/**
 * Halts a channel that churns: it gets no new signals and entries until an operator resumes it; positions are managed as
 * before. Every operator is told by mail, once.
 */
async function haltChurning(
  { storage, log }: ChurnTools,
  { id, name, partnerId, resumedAt }: Channel,
  facts: Omit<ChurnFacts, 'resumedAt'>,
): Promise<void> {
  const cause = churnOf({ ...facts, resumedAt: resumedAt?.getTime() ?? null });
  if (cause === null) return;
  const scope = { exchange: null, partnerId, channelId: id };
  if (!(await storage.halts.add({ ...scope, cause }))) return;
  await storage.executionReads.wakeOpen({ partnerId, channelId: id });
  const operators = await storage.users.operators();
  for (const { email } of operators) await storage.mails.ask('churn', email);
  log.warn({ channel: id, name, cause, mails: operators.length }, 'channel halted');
}
