import { ObjectId } from 'mongodb';
import type { Log } from '../process/log.js';
import { BatchWriter } from '../servers/batch-writer.js';
import type { AuditDetails, AuditEvent, AuditEventName } from './audit-event.js';
import { hourOf, mostAnHour, type AuditEventRepository, type AuditHour } from './audit-events.js';
import { networkOf } from './client-network.js';

/** Where an event came from: the address and the User-Agent of the request. */
export interface AuditSource {
  address: string;
  client: string;
}

export interface AuditLogOptions {
  auditEvents: Pick<AuditEventRepository, 'add' | 'count'>;
  log: Pick<Log, 'error'>;
  now?: () => number;
  spacingMs?: number;
}

/** Events that wait to be written; more are lost and logged. Sign-ins are slower than writes by far. */
const mostWaiting = 10_000;

/**
 * Records what happens to accounts, beside the answers. Of a kind of event that an account has too often within an hour, the
 * first are kept and the others are counted, so that a storm of failed sign-ins does not fill the disk.
 */
export class AuditLog {
  readonly #auditEvents: AuditLogOptions['auditEvents'];
  readonly #now: () => number;
  readonly #writer: BatchWriter<AuditEvent>;
  /** The group of each event that was to be written: a write that is repeated counts none twice. */
  readonly #groups = new WeakMap<AuditEvent, EventGroup>();

  constructor({ auditEvents, log, now = Date.now, spacingMs }: AuditLogOptions) {
    this.#auditEvents = auditEvents;
    this.#now = now;
    this.#writer = new BatchWriter({
      what: 'audit events',
      write: (events) => this.#write(events),
      sizeOf: () => 1,
      mostSize: mostWaiting,
      batchSize: 200,
      describe: ({ userId, event, at }) => ({ userId, event, at: at.toISOString() }),
      log,
      spacingMs,
    });
  }

  /** Records an event of a user, or of no account. Without a source nothing is kept of where it came from. Never throws. */
  note(
    event: AuditEventName,
    userId: string | null,
    source: AuditSource | null,
    details: AuditDetails = {},
  ): void {
    this.#writer.keep({
      id: new ObjectId().toHexString(),
      userId,
      at: new Date(this.#now()),
      event,
      address: source && networkOf(source.address),
      client: source?.client ?? null,
      details,
    });
  }

  /** Resolves when the events of a user that were noted before are stored, or could not be stored at once. */
  settled(userId: string): Promise<void> {
    return this.#writer.settled((event) => event.userId === userId);
  }

  /** Writes what waits, for up to 5 s, and logs what is lost. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  async #write(events: readonly AuditEvent[]): Promise<void> {
    const fresh = groupsOf(events.filter((event) => !this.#groups.has(event)));
    for (const group of fresh) for (const event of group.events) this.#groups.set(event, group);
    const groups = [...new Set(events.map((event) => this.#groups.get(event)!))];
    await Promise.all(groups.filter(({ admitted }) => admitted === null).map((group) => this.#admit(group)));
    await this.#auditEvents.add(groups.flatMap((group) => group.events.slice(0, group.admitted ?? 0)));
  }

  /** Counts the events of a group, and admits the first. */
  async #admit(group: EventGroup): Promise<void> {
    const { hour, events } = group;
    const before = (await this.#auditEvents.count(hour, events.length, events[0].id)) - events.length;
    group.admitted = Math.max(0, mostAnHour(hour.userId) - before);
  }
}

/** Events of one kind, account and hour that are counted together. */
interface EventGroup {
  hour: AuditHour;
  events: AuditEvent[];
  /** How many of them are stored, the first ones; null until they are counted. */
  admitted: number | null;
}

function groupsOf(events: readonly AuditEvent[]): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const each of events) {
    const { userId, event } = each;
    const hour = { userId, event, hour: hourOf(each.at) };
    const key = `${userId ?? ''}:${event}:${hour.hour.getTime()}`;
    const group = groups.get(key) ?? { hour, events: [], admitted: null };
    group.events.push(each);
    groups.set(key, group);
  }
  return [...groups.values()];
}
