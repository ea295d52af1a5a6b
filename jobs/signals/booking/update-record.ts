import { medianResult, trackRecordOf } from '../../../compute/ledger/track-record-of.js';
import type { Storage } from '../../../storage/index.js';
import type { DueChannel } from '../../../storage/ledger/channel-records.js';
import type { SignalOutcome } from '../../../storage/ledger/signal-outcomes.js';

type RecordStorage = Pick<Storage, 'channelRecords' | 'channels' | 'signalOutcomes' | 'trades'>;

/** The time that a record covers. */
const coveredMs = 365 * 86_400_000;

/** Computes the record of a channel anew: the outcomes of the signals that are due, then the record from all outcomes. */
export async function updateRecord(storage: RecordStorage, due: DueChannel, nowMs: number): Promise<void> {
  const { channelId } = due;
  const channel = await storage.channels.find(channelId);
  if (!channel) return storage.channelRecords.remove(channelId);
  const changed: SignalOutcome[] = [];
  for (const id of Object.keys(due.due)) {
    const followers = await storage.trades.ofSignal(id);
    const closedAt = new Date(Math.max(...followers.map((each) => each.closedAt.getTime())));
    if (followers.length > 0)
      changed.push({ id, channelId, followers: followers.length, ...medianResult(followers), closedAt });
  }
  await storage.signalOutcomes.put(changed);
  const since = new Date(nowMs - coveredMs);
  const [signals, outcomes] = await Promise.all([
    storage.signalOutcomes.signalsOf(channel.partnerId, channelId, since),
    storage.signalOutcomes.ofChannel(channelId, since),
  ]);
  const record = trackRecordOf(
    signals.map(({ id, isCancelled, entriesEndAt }) => ({
      ...{ id, isCancelled },
      isPast: entriesEndAt !== null && entriesEndAt <= nowMs,
    })),
    new Map(outcomes.map(({ id, ...outcome }) => [id, outcome])),
  );
  await storage.channelRecords.put(due, record, new Date(nowMs));
}

/** A record is computed at most once in this time, however many trades are booked. */
const calmMs = 10_000;

/** Computes the records that are out of date, each by one process at a time. Answers how many. */
export async function updateDueRecords(storage: RecordStorage & Pick<Storage, 'leases'>): Promise<number> {
  const due = await storage.channelRecords.due(new Date(Date.now() - calmMs));
  let updated = 0;
  for (const each of due) {
    const work = () => updateRecord(storage, each, Date.now());
    if (await storage.leases.attempt(`channel-record:${each.channelId}`, work)) updated++;
  }
  return updated;
}
