import { hash, randomBytes } from 'node:crypto';
import type { Collection, Db, Filter, FindCursor } from 'mongodb';
import type { AnnounceRevoked } from './revoked.js';
import { insertOnce } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';

export const clientKinds = ['web', 'ios', 'android'] as const;

export type ClientKind = (typeof clientKinds)[number];

/** A session of a user. Only the client knows the token itself. */
export interface Session {
  /** The SHA-256 of the token, in base64url. */
  id: string;
  userId: string;
  client: ClientKind;
  createdAt: Date;
  expiresAt: Date;
}

type SessionDocument = Omit<Session, 'id'> & { _id: string };

const dayMs = 86_400_000;
const lifetimeMs: Record<ClientKind, number> = { web: 7 * dayMs, ios: 30 * dayMs, android: 30 * dayMs };

/** Sessions that a user may have at the same time. Another one ends the oldest. */
export const mostSessions = 100;

/** 256 random bits in base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** The id under which the session of a token is stored; null if the text is not a token. */
export const sessionIdOf = (token: string): string | null =>
  tokenPattern.test(token) ? hash('sha256', token, 'base64url') : null;

/** By which a user names a session. It gives no access, and the stored id does not follow from it. */
export const shownSessionId = (id: string): string => hash('sha256', `session ${id}`, 'hex').slice(0, 24);

/** Sessions, stored under the SHA-256 of their token. */
export class SessionRepository {
  readonly #collection: Collection<SessionDocument>;
  readonly #announce: AnnounceRevoked;

  /** `announce` tells the gateways, which cache sessions, that some have ended. */
  constructor(db: Db, announce: AnnounceRevoked = async () => undefined) {
    this.#collection = openCollection(db, 'sessions');
    this.#announce = announce;
  }

  /**
   * Opens a session of 7 days, or 30 on a phone, and returns its token, which is not stored. Ends the oldest sessions of a
   * user who has more than 100 by then.
   */
  async open(userId: string, client: ClientKind, now = Date.now()): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const _id = sessionIdOf(token)!;
    const expiresAt = new Date(now + lifetimeMs[client]);
    await insertOnce(this.#collection, { _id, userId, client, createdAt: new Date(now), expiresAt });
    await this.#endOldest(userId, _id, now);
    return token;
  }

  /** The session of that id; null if it is unknown or expired. */
  async find(id: string, now = Date.now()): Promise<Session | null> {
    // MongoDB removes expired sessions with a delay; until then they are recognised by their date.
    const found = await this.#collection.findOne({ _id: id, expiresAt: { $gt: new Date(now) } });
    return found && toSession(found);
  }

  /** The sessions of a user that have not expired, newest first; at most 100. */
  async ofUser(userId: string, now = Date.now()): Promise<Session[]> {
    const found = await this.#newest({ userId }, now).limit(mostSessions).toArray();
    return found.map(toSession);
  }

  /** Ends one session of a user; false if there is none. */
  async end(userId: string, id: string): Promise<boolean> {
    const { deletedCount } = await this.#collection.deleteOne({ _id: id, userId });
    await this.#announce({ sessions: [id] });
    return deletedCount === 1;
  }

  /** Ends all sessions of a user except `exceptId` and returns how many there were. */
  async endAll(userId: string, exceptId?: string): Promise<number> {
    const others = exceptId === undefined ? {} : { _id: { $ne: exceptId } };
    const { deletedCount } = await this.#collection.deleteMany({ userId, ...others });
    await this.#announce({ users: [userId] });
    return deletedCount;
  }

  /**
   * Ends the oldest sessions of a user beyond the limit. The one just opened stays, even if the clock of another process is
   * ahead. Each of several sign-ins at the same time counts all that were stored before it counts, so the last one leaves no
   * more than the limit; and the newest 99 are among those that every one of them keeps.
   */
  async #endOldest(userId: string, openedId: string, now: number): Promise<void> {
    const others = this.#newest({ userId, _id: { $ne: openedId } }, now);
    const oldest = others.skip(mostSessions - 1);
    const ids = (await oldest.project<{ _id: string }>({ _id: 1 }).toArray()).map(({ _id }) => _id);
    if (ids.length === 0) return;
    await this.#collection.deleteMany({ userId, _id: { $in: ids } });
    await this.#announce({ sessions: ids });
  }

  #newest(filter: Filter<SessionDocument>, now: number): FindCursor<SessionDocument> {
    return this.#collection
      .find({ ...filter, expiresAt: { $gt: new Date(now) } })
      .sort({ createdAt: -1, _id: -1 });
  }
}

const toSession = ({ _id, ...rest }: SessionDocument): Session => ({ id: _id, ...rest });
