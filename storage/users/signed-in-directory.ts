import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { SubscribedCache, type CachedValue } from '../servers/subscribed-cache.js';
import { revokedChannel, type Revoked } from './revoked.js';
import { sessionIdOf, type Session, type SessionRepository } from './sessions.js';
import type { Plan, User, UserRepository } from './users.js';

/** A signed-in user, as far as requests need to know. */
export interface SignedIn {
  userId: string;
  sessionId: string;
  email: string;
  plan: Plan;
  /** May see and control the cluster. */
  operator: boolean;
  /** Whether the e-mail is known to belong to the user. Accounts without that share a limit of their network. */
  isVerified: boolean;
}

/** Where sessions and users are read. */
export interface SignedInSources {
  sessions: Pick<SessionRepository, 'find'>;
  users: Pick<UserRepository, 'byId'>;
}

/** How long a change stays unseen at most when its message was lost. */
const longestAgeMs = 60_000;
const mostCached = 20_000;

/** Signed-in users by session token, cached in memory until a message says that they have changed. */
export class SignedInDirectory {
  readonly #sources: SignedInSources;
  readonly #cache: SubscribedCache<SignedIn>;
  /** Ids of sessions that were valid when they were last read. */
  readonly #valid = new LRUCache<string, true>({ max: mostCached });

  /** `subscriber` is a Redis connection that nothing else uses. */
  constructor(sources: SignedInSources, subscriber: Redis) {
    this.#sources = sources;
    this.#cache = new SubscribedCache(subscriber, {
      channel: revokedChannel,
      max: mostCached,
      onMessage: (message, cache) => forget(JSON.parse(message) as Revoked, cache),
    });
  }

  /**
   * Whether a session is worth a read by what this process knows: false for one that it has not yet found valid, whose token
   * any client could have made up.
   */
  isPlausible(sessionId: string): boolean {
    return this.#valid.has(sessionId);
  }

  /** The user signed in with that token; null if it is malformed, unknown or expired, or its user was removed. */
  async find(token: string, now?: number): Promise<SignedIn | null> {
    const id = sessionIdOf(token);
    return id === null ? null : this.ofSession(id, now);
  }

  /** The user of a session; null if it is unknown or expired, or its user was removed. */
  async ofSession(id: string, now = Date.now()): Promise<SignedIn | null> {
    return this.#cache.get(id, now) ?? this.#cache.read(id, () => this.#load(id, now));
  }

  /**
   * Forgets sessions and users at once. The process that changes them calls this, because its own message can reach it
   * after the next request does.
   */
  forget(revoked: Revoked): void {
    this.#cache.noteChange((cache) => forget(revoked, cache));
  }

  close(): void {
    this.#cache.close();
  }

  async #load(id: string, now: number): Promise<CachedValue<SignedIn> | null> {
    const { sessions, users } = this.#sources;
    const session = await sessions.find(id, now);
    const user = session && (await users.byId(session.userId));
    if (!session || !user) {
      this.#valid.delete(id);
      return null;
    }
    this.#valid.set(id, true);
    const untilMs = Math.min(now + longestAgeMs, session.expiresAt.getTime());
    return { value: toSignedIn(session, user), untilMs };
  }
}

function forget({ sessions = [], users = [] }: Revoked, cache: SubscribedCache<SignedIn>): void {
  for (const id of sessions) cache.delete(id);
  if (users.length === 0) return;
  const revoked = new Set(users);
  cache.deleteWhere(({ userId }) => revoked.has(userId));
}

const toSignedIn = (session: Session, { email, plan, operator, emailVerifiedAt }: User): SignedIn => ({
  userId: session.userId,
  sessionId: session.id,
  email,
  plan,
  operator,
  isVerified: emailVerifiedAt !== null,
});
