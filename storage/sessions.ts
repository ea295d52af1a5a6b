import { createHash, randomBytes } from 'node:crypto';
import type { Collection, Db } from 'mongodb';

export const clientKinds = ['web', 'ios', 'android'] as const;

export type ClientKind = (typeof clientKinds)[number];

/** A signed-in user. The token itself is known to the client alone. */
export interface Session {
  userId: string;
  client: ClientKind;
  createdAt: Date;
  expiresAt: Date;
}

type SessionDocument = Session & { _id: string };

const dayMs = 86_400_000;
const lifetimeMs: Record<ClientKind, number> = { web: 7 * dayMs, ios: 30 * dayMs, android: 30 * dayMs };

/** 256 random bits in base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

const digestOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Sessions, stored under the SHA-256 of their token. */
export class SessionRepository {
  readonly #collection: Collection<SessionDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('sessions');
  }

  /** Opens a session from `now` on, 7 days long or 30 on a phone, and returns its token: the only time it is seen. */
  async open(userId: string, client: ClientKind, now = Date.now()): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now + lifetimeMs[client]);
    await this.#collection.insertOne({
      _id: digestOf(token),
      userId,
      client,
      createdAt: new Date(now),
      expiresAt,
    });
    return token;
  }

  /** The session of a token; null if the token is malformed, unknown or expired. */
  async find(token: string, now = Date.now()): Promise<Session | null> {
    if (!tokenPattern.test(token)) return null;
    // The database removes expired sessions now and then; until it does, they are told by their date.
    const found = { _id: digestOf(token), expiresAt: { $gt: new Date(now) } };
    return this.#collection.findOne(found, { projection: { _id: 0 } });
  }

  /** Throws away the sessions that are over, and tells how many: the database may do so late, or not at all. */
  async dropExpired(now = Date.now()): Promise<number> {
    return (await this.#collection.deleteMany({ expiresAt: { $lte: new Date(now) } })).deletedCount;
  }
}
