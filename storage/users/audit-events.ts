import type { Collection, Db, Filter } from 'mongodb';
import { isDuplicate, isOnlyDuplicates } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import type { AuditEvent, AuditEventName } from './audit-event.js';

/** Without an account the user id is empty. */
type AuditDocument = Omit<AuditEvent, 'id' | 'userId'> & { _id: string; userId: string };

/** How often an event of one kind happened to an account in an hour. */
interface CountDocument {
  _id: string;
  userId: string;
  event: AuditEventName;
  hour: Date;
  count: number;
  /** The batches that were counted last. */
  batches: string[];
}

/** Which events of an account are counted together. */
export type AuditHour = Pick<CountDocument, 'event' | 'hour'> & Pick<AuditEvent, 'userId'>;

/** Events that were only counted, because there were too many of their kind within the hour. */
export type UnlistedEvents = Pick<CountDocument, 'event' | 'hour' | 'count'>;

export interface AuditQuery {
  userId?: string | undefined;
  event?: AuditEventName | undefined;
  since?: Date | undefined;
  /** The place after which the page starts. */
  after?: string | undefined;
  limit: number;
}

export interface AuditPage {
  /** The newest first. */
  events: AuditEvent[];
  /** Those of the hours that the page covers; an hour belongs to the page that reaches its last event. */
  unlisted: UnlistedEvents[];
  /** The place of the last event; null at the end. */
  next: string | null;
}

const hourMs = 3_600_000;

/** Events of a kind that are kept in full per account and hour; more are counted. */
const mostOfAccount = 20;
/** The same for events without an account, over all clients. */
const mostWithoutAccount = 200;

/** A batch is sent again within seconds: by then fewer others have come. */
const mostBatches = 100;

/** How many events of a kind are kept in full within an hour. */
export const mostAnHour = (userId: string | null): number =>
  userId === null ? mostWithoutAccount : mostOfAccount;

/** What happened to accounts. Events are added and never changed; they go by age, or with their user. */
export class AuditEventRepository {
  readonly #events: Collection<AuditDocument>;
  readonly #counts: Collection<CountDocument>;

  constructor(db: Db) {
    this.#events = openCollection(db, 'audit_events');
    this.#counts = openCollection(db, 'audit_counts');
  }

  /** Adds events. Those that are stored already stay as they are. */
  async add(events: readonly AuditEvent[]): Promise<void> {
    if (events.length === 0) return;
    try {
      await this.#events.insertMany(events.map(toDocument), { ordered: false });
    } catch (error) {
      if (!isOnlyDuplicates(error)) throw error;
    }
  }

  /**
   * Counts events of a kind and answers how many there are in that hour with them. `batch` names them: a batch that is sent
   * again, because the answer was lost, is counted once.
   */
  async count(of: AuditHour, more: number, batch: string): Promise<number> {
    const { event, hour } = of;
    const userId = of.userId ?? '';
    const _id = `${userId}:${event}:${hour.toISOString()}`;
    const batches = { $each: [batch], $slice: -mostBatches };
    const change = { $inc: { count: more }, $push: { batches }, $setOnInsert: { userId, event, hour } };
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const counted = await this.#counts.findOneAndUpdate({ _id, batches: { $ne: batch } }, change, options);
      return counted!.count;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const stored = await this.#counts.findOne({ _id });
      if (stored?.batches.includes(batch)) return stored.count;
      // Another process has made the document meanwhile.
      return this.count(of, more, batch);
    }
  }

  /** A page of the events of a user, or of all, the newest first. */
  async list(query: AuditQuery): Promise<AuditPage> {
    const { limit, after } = query;
    const found = await this.#events
      .find(filterOf(query))
      .sort({ at: -1, _id: -1 })
      .limit(limit + 1)
      .toArray();
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const isEnd = found.length <= limit;
    return {
      events: page.map(toEvent),
      unlisted: last === undefined ? [] : await this.#unlisted(query, isEnd ? undefined : last.at, after),
      next: isEnd || last === undefined ? null : placeOf(last),
    };
  }

  async #unlisted(
    { userId, event, since }: AuditQuery,
    reached: Date | undefined,
    after: string | undefined,
  ) {
    const from = reached ?? since;
    const filter: Filter<CountDocument> = {
      ...(userId === undefined ? {} : { userId }),
      ...(event === undefined ? {} : { event }),
      hour: {
        $gte: from === undefined ? new Date(0) : hourOf(from),
        ...(after === undefined ? {} : { $lt: hourOf(readPlace(after).at) }),
      },
      $or: [
        { userId: { $gt: '' }, count: { $gt: mostOfAccount } },
        { userId: '', count: { $gt: mostWithoutAccount } },
      ],
    };
    const found = await this.#counts.find(filter).sort({ hour: -1, _id: 1 }).limit(1_000).toArray();
    return found.map(({ userId: of, event: kind, hour, count }): UnlistedEvents => ({
      event: kind,
      hour,
      count: count - mostAnHour(of === '' ? null : of),
    }));
  }

  /** Removes events from before a time and returns how many there were. */
  async dropOlder(before: Date): Promise<number> {
    await this.#counts.deleteMany({ hour: { $lt: new Date(before.getTime() - hourMs) } });
    return (await this.#events.deleteMany({ at: { $lt: before } })).deletedCount;
  }
}

export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);

/** The form of a place in the list: time and id. */
export const auditPlace = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z [0-9a-f]{24}$/;

const placeOf = ({ at, _id }: AuditDocument): string => `${at.toISOString()} ${_id}`;

function readPlace(place: string): { at: Date; id: string } {
  const [at, id] = place.split(' ');
  return { at: new Date(at), id };
}

function filterOf({ userId, event, since, after }: AuditQuery): Filter<AuditDocument> {
  const place = after === undefined ? undefined : readPlace(after);
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(event === undefined ? {} : { event }),
    ...(since === undefined ? {} : { at: { $gte: since } }),
    ...(place === undefined
      ? {}
      : { $or: [{ at: { $lt: place.at } }, { at: place.at, _id: { $lt: place.id } }] }),
  };
}

const toDocument = ({ id, userId, ...rest }: AuditEvent): AuditDocument => ({
  _id: id,
  userId: userId ?? '',
  ...rest,
});

const toEvent = ({ _id, userId, ...rest }: AuditDocument): AuditEvent => ({
  id: _id,
  userId: userId === '' ? null : userId,
  ...rest,
});
