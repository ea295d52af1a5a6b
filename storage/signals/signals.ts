import { ObjectId, type Collection, type Db, type Filter } from 'mongodb';
import { insertOnce, isDuplicate } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';
import { dueBacklog, type DueBacklog, isDueBy } from './due-condition.js';
import { dueNever } from './step-fault.js';
import type { PartnerSignal, SignalCommandEvent, SignalStatus, SignalTerms } from './partner-signal.js';

export type SignalDocument = Omit<PartnerSignal, 'id'> & { _id: string };

/** A signal to create. `commands` come with it, such as a trailing stop by default of its channel. */
export interface NewSignal {
  partnerId: string;
  channelId: string;
  terms: SignalTerms;
  commands: SignalCommandEvent[];
  /** The idempotency key of a request, and the SHA-256 of the request. */
  idempotency: { key: string; bodyHash: string } | null;
}

/** A page of signals, the newest first. */
export interface SignalPage {
  signals: PartnerSignal[];
  /** Where the next page starts; null after the last. */
  next: string | null;
}

const idempotencyMs = 86_400_000;

/** Commands that a signal may have. A cancel is always accepted. */
export const mostCommands = 200;

/**
 * The signals of partners. A signal and its outbox are one document: once it is stored, `dueAt` says that it has to be
 * delivered. Questions of a partner name the partner: the signals of others are unknown.
 */
export class SignalRepository {
  readonly #collection: Collection<SignalDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'signals');
  }

  /**
   * Stores a signal. If the partner has used the idempotency key within 24 h, it returns the earlier signal for an equal
   * request, and `key_reused` for a different one. Of equal requests at the same moment one is stored.
   */
  async add(signal: NewSignal, now = Date.now()): Promise<PartnerSignal | 'key_reused'> {
    for (;;) {
      const document = toDocument(signal, now);
      try {
        await insertOnce(this.#collection, document);
        return toSignal(document);
      } catch (error) {
        if (!signal.idempotency || !isDuplicate(error)) throw error;
      }
      const earlier = await this.ofKey(signal.partnerId, signal.idempotency.key, now);
      if (earlier)
        return earlier.idempotency!.bodyHash === signal.idempotency.bodyHash ? earlier : 'key_reused';
    }
  }

  /** The signal of an idempotency key; null if there is none. An expired key is removed from its signal, so that it can be used again. */
  async ofKey(partnerId: string, key: string, now = Date.now()): Promise<PartnerSignal | null> {
    const found = await this.#collection.findOne({ partnerId, 'idempotency.key': key });
    if (!found || found.idempotency!.until.getTime() > now) return found && toSignal(found);
    await this.#collection.updateOne(
      { _id: found._id, 'idempotency.key': key },
      { $set: { idempotency: null }, $inc: { revision: 1 } },
    );
    return null;
  }

  /** A signal of a partner; null if the partner has none of that id. */
  async find(partnerId: string, id: string): Promise<PartnerSignal | null> {
    const found = await this.#collection.findOne({ _id: id, partnerId });
    return found && toSignal(found);
  }

  /** Signals of any partner by id, without an order. */
  async ofIds(ids: readonly string[]): Promise<PartnerSignal[]> {
    return (await this.#collection.find({ _id: { $in: [...ids] } }).toArray()).map(toSignal);
  }

  /** The newest signals, of one partner and status or of all, or those that follow a page's `next`. */
  async list({
    partnerId,
    status,
    after,
    limit,
  }: {
    partnerId?: string | undefined;
    status?: SignalStatus | undefined;
    after?: string | undefined;
    limit: number;
  }): Promise<SignalPage> {
    const filter: Filter<SignalDocument> = {
      ...(partnerId === undefined ? {} : { partnerId }),
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { _id: { $lt: after } }),
    };
    const found = await this.#collection
      .find(filter)
      .sort({ _id: -1 })
      .limit(limit + 1)
      .toArray();
    const page = found.slice(0, limit).map(toSignal);
    return { signals: page, next: found.length > limit ? page.at(-1)!.id : null };
  }

  /**
   * Adds a command to an active signal that has exactly the commands of `signal`, and makes it due in the same write. False
   * if another command came first: then the command has to be checked again.
   */
  async command(
    { id, partnerId, commands }: PartnerSignal,
    event: SignalCommandEvent,
    cause: string,
    now = Date.now(),
  ): Promise<boolean> {
    const at = new Date(now);
    const { matchedCount } = await this.#collection.updateOne(
      { _id: id, partnerId, status: 'active', commands: { $size: commands.length } },
      {
        $push: { commands: { at, event }, events: { at, type: event.type, cause } },
        $set: { dueAt: at, ...(event.type === 'cancel' ? { status: 'cancelled' as const } : {}) },
        $inc: { revision: 1 },
      },
    );
    return matchedCount === 1;
  }

  /** The signals that are due, longest due first: of one partner, or of all. */
  async due(now: number, limit: number, partnerId?: string): Promise<PartnerSignal[]> {
    const found = await this.#collection
      .find({ dueAt: isDueBy(now), ...(partnerId === undefined ? {} : { partnerId }) })
      .sort({ dueAt: 1 })
      .limit(limit)
      .toArray();
    return found.map(toSignal);
  }

  async duePartners(now: number): Promise<string[]> {
    const rows = await this.#collection
      .aggregate<{ _id: string }>([{ $match: { dueAt: isDueBy(now) } }, { $group: { _id: '$partnerId' } }])
      .toArray();
    return rows.map(({ _id }) => _id).sort();
  }

  /** Stores how far delivery is and when it goes on; false if the signal has changed since it was read. */
  async advance(
    { id, revision }: Pick<PartnerSignal, 'id' | 'revision'>,
    delivery: PartnerSignal['delivery'],
    dueAt: Date | null,
  ): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { _id: id, revision },
      { $set: { delivery, dueAt, fault: null }, $inc: { revision: 1 } },
    );
    return matchedCount === 1;
  }

  /** Stores why a step of a delivery failed, and when it is tried again; false if the signal has changed since it was read. */
  async fail(
    { id, revision }: Pick<PartnerSignal, 'id' | 'revision'>,
    { fault, dueAt }: Pick<PartnerSignal, 'fault' | 'dueAt'>,
  ): Promise<boolean> {
    const change = { $set: { fault, dueAt }, $inc: { revision: 1 } };
    return (await this.#collection.updateOne({ _id: id, revision }, change)).matchedCount === 1;
  }

  /** Deliveries of signals whose work waits now. */
  backlog(nowMs: number): Promise<DueBacklog> {
    return dueBacklog(this.#collection, nowMs);
  }

  /** The signals whose delivery is left to the operator, those that failed last first. */
  async faulty(limit: number): Promise<PartnerSignal[]> {
    const found = this.#collection.find({ dueAt: dueNever });
    return (await found.sort({ 'fault.at': -1 }).limit(limit).toArray()).map(toSignal);
  }

  /** Lets the delivery of a signal be tried again from now on; false if its last step has not failed. */
  async retry(id: string, nowMs: number): Promise<boolean> {
    const { matchedCount } = await this.#collection.updateOne(
      { _id: id, fault: { $ne: null } },
      { $set: { 'fault.count': 0, dueAt: new Date(nowMs) }, $inc: { revision: 1 } },
    );
    return matchedCount === 1;
  }
}

function toDocument(
  { partnerId, channelId, terms, commands, idempotency }: NewSignal,
  now: number,
): SignalDocument {
  const at = new Date(now);
  return {
    _id: new ObjectId().toHexString(),
    partnerId,
    channelId,
    createdAt: at,
    terms,
    commands: commands.map((event) => ({ at, event })),
    status: 'active',
    events: [{ at, type: 'created', cause: 'the partner created the signal' }],
    delivery: { after: null, isDone: false, delivered: 0 },
    idempotency: idempotency && { ...idempotency, until: new Date(now + idempotencyMs) },
    dueAt: at,
    fault: null,
    revision: 0,
  };
}

const toSignal = ({ _id, ...rest }: SignalDocument): PartnerSignal => ({ ...rest, id: _id });
