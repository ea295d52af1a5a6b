import type { Collection, Db } from 'mongodb';
import type { Period } from '../../compute/model/interval.js';
import type { TrackRecord } from '../../compute/model/track-record.js';
import { openCollection } from '../servers/open-collection.js';

/** A channel with signals of which trades were booked since its record was computed. */
export interface DueChannel {
  channelId: string;
  /** How often each signal was marked, by its id. */
  due: Record<string, number>;
}

/** The records of a channel over the last three, six and twelve months. */
export type PeriodRecords = Readonly<Record<Period, TrackRecord>>;

interface RecordDocument extends Omit<DueChannel, 'channelId'> {
  _id: string;
  /** null before they are computed for the first time. */
  records: PeriodRecords | null;
  computedAt: Date;
}

const never = new Date(0);

/** The track records of channels, and which of them are out of date. */
export class ChannelRecordRepository {
  readonly #collection: Collection<RecordDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'channel_records');
  }

  /** Notes that trades were booked: one write for each channel and signal, however many trades there are. */
  async markDue(trades: readonly { channelId: string; signalId: string }[]): Promise<void> {
    const signals = new Map(trades.map(({ channelId, signalId }) => [signalId, channelId]));
    if (signals.size === 0) return;
    const writes = [...signals].map(([signalId, channelId]) => ({
      updateOne: {
        filter: { _id: channelId },
        update: { $inc: { [`due.${signalId}`]: 1 }, $setOnInsert: { records: null, computedAt: never } },
        upsert: true,
      },
    }));
    await this.#collection.bulkWrite(writes, { ordered: true });
  }

  /** The channels that are out of date and were computed before a time. */
  async due(computedBefore: Date): Promise<DueChannel[]> {
    const found = await this.#collection
      .find({ computedAt: { $lt: computedBefore } })
      .project<Pick<RecordDocument, '_id' | 'due'>>({ due: 1 })
      .toArray();
    return found
      .map(({ _id, due = {} }) => ({ channelId: _id, due }))
      .filter(({ due }) => Object.keys(due).length > 0);
  }

  /** Stores the records. Signals in `due` are no longer due, unless they were marked again meanwhile. */
  async put({ channelId, due }: DueChannel, records: PeriodRecords, computedAt: Date): Promise<void> {
    await this.#collection.updateOne(
      { _id: channelId },
      { $set: { records, computedAt }, $setOnInsert: { due: {} } },
      { upsert: true },
    );
    const done = Object.entries(due).map(([signalId, count]) => ({
      updateOne: {
        filter: { _id: channelId, [`due.${signalId}`]: count },
        update: { $unset: { [`due.${signalId}`]: '' as const } },
      },
    }));
    if (done.length > 0) await this.#collection.bulkWrite(done);
  }

  /** The records over the last year by channel; channels without a computed record are missing. */
  async list(): Promise<Map<string, TrackRecord>> {
    return this.ofPeriod('1y');
  }

  /** The records of all channels over a period, by channel; those that were not computed are missing. */
  async ofPeriod(period: Period): Promise<Map<string, TrackRecord>> {
    const found = await this.#collection
      .find()
      .project<Pick<RecordDocument, '_id' | 'records'>>({ [`records.${period}`]: 1 })
      .toArray();
    return new Map(found.flatMap(({ _id, records }) => (records ? [[_id, records[period]] as const] : [])));
  }

  /** Removes the record of a channel. */
  async remove(channelId: string): Promise<void> {
    await this.#collection.deleteOne({ _id: channelId });
  }
}
