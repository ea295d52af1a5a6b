import { createHash, randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { ownersAfter } from './owners-after.js';
import type { AnnounceRevoked } from './revoked.js';

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

/** 256 random bits in base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** The id under which the session of a token is stored; null if the text is not a token. */
export const sessionIdOf = (token: string): string | null =>
  tokenPattern.test(token) ? createHash('sha256').update(token).digest('base64url') : null;

/** Sessions, stored under the SHA-256 of their token. */
export class SessionRepository {
  readonly #collection: Collection<SessionDocument>;
  readonly #announce: AnnounceRevoked;

  /** `announce` tells the gateways, which cache sessions, that some have ended. */
  constructor(db: Db, announce: AnnounceRevoked = async () => undefined) {
    this.#collection = db.collection('sessions');
    this.#announce = announce;
  }

  /** Opens a session of 7 days, or 30 on a phone, and returns its token, which is not stored. */
  async open(userId: string, client: ClientKind, now = Date.now()): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now + lifetimeMs[client]);
    await this.#collection.insertOne({
      _id: sessionIdOf(token)!,
      userId,
      client,
      createdAt: new Date(now),
      expiresAt,
    });
    return token;
  }

  /** The session of that id; null if it is unknown or expired. */
  async find(id: string, now = Date.now()): Promise<Session | null> {
    // MongoDB removes expired sessions with a delay; until then they are recognised by their date.
    const found = await this.#collection.findOne({ _id: id, expiresAt: { $gt: new Date(now) } });
    return found && toSession(found);
  }

  /** The sessions of a user that have not expired, newest first. */
  async ofUser(userId: string, now = Date.now()): Promise<Session[]> {
    const found = await this.#collection
      .find({ userId, expiresAt: { $gt: new Date(now) } })
      .sort({ createdAt: -1 })
      .toArray();
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

  /** Ids of users with sessions, in order, after `afterId`. */
  owners(afterId: string, limit: number): Promise<string[]> {
    return ownersAfter(this.#collection, afterId, limit);
  }

  /** Deletes expired sessions and returns how many: the database may do so late or never. */
  async dropExpired(now = Date.now()): Promise<number> {
    return (await this.#collection.deleteMany({ expiresAt: { $lte: new Date(now) } })).deletedCount;
  }
}

const toSession = ({ _id, ...rest }: SessionDocument): Session => ({ id: _id, ...rest });
