import type { Redis } from 'ioredis';
import { SubscribedCache, type CachedValue } from '../servers/subscribed-cache.js';
import {
  findCredential,
  noteCredentialUse,
  type Credential,
  type CredentialSources,
  type StoredCredential,
} from './credential.js';
import { revokedChannel, type Revoked } from './revoked.js';
import { sessionIdOf } from './sessions.js';
import type { TokenScope } from './token-scopes.js';
import type { Plan, User, UserRepository } from './users.js';
import { boundedCache } from '../process/bounded-cache.js';

/** A signed-in user, as far as requests need to know. */
export interface SignedIn {
  userId: string;
  /** Empty unless the user is signed in by a session. */
  sessionId: string;
  email: string;
  plan: Plan;
  /** May see and control the cluster. */
  operator: boolean;
  /** Whether the e-mail is known to belong to the user. Accounts without that share a limit of their network. */
  isVerified: boolean;
}

/** A user by credential, and what the credential allows. */
export interface TokenUser {
  user: SignedIn;
  scopes: ReadonlySet<TokenScope>;
  /** URL of the service that the credential is for; null: not bound to one. */
  resource: string | null;
}

/** Where credentials and users are read. */
export type SignedInSources = CredentialSources & { users: Pick<UserRepository, 'byId'> };

type Cached = TokenUser & Pick<StoredCredential, 'grantId'>;

/** How long a change stays unseen at most when its message was lost. */
const longestAgeMs = 60_000;
const mostCached = 20_000;

/** Signed-in users by session or token, cached in memory until a message says that they have changed. */
export class SignedInDirectory {
  readonly #sources: SignedInSources;
  readonly #cache: SubscribedCache<Cached>;
  /** Keys of credentials that were valid when they were last read. */
  readonly #valid = boundedCache<true>(mostCached);
  readonly #listeners: ((revoked: Revoked) => void)[] = [];

  /** `subscriber` is a Redis connection that nothing else uses. */
  constructor(sources: SignedInSources, subscriber: Redis) {
    this.#sources = sources;
    this.#cache = new SubscribedCache(subscriber, {
      channel: revokedChannel,
      max: mostCached,
      onMessage: (message, cache) => {
        const revoked = JSON.parse(message) as Revoked;
        forget(revoked, cache);
        this.#tell(revoked);
      },
    });
  }

  /**
   * Whether a credential is worth a read by what this process knows: false for one that it has not yet found valid, whose
   * secret any client could have made up.
   */
  isPlausible(key: string): boolean {
    return this.#valid.has(key);
  }

  /** The user signed in with that token; null if it is malformed, unknown or expired, or its user was removed. */
  async find(token: string, now?: number): Promise<SignedIn | null> {
    const id = sessionIdOf(token);
    return id === null ? null : this.ofSession(id, now);
  }

  /** The user of a session; null if it is unknown or expired, or its user was removed. */
  async ofSession(id: string, now = Date.now()): Promise<SignedIn | null> {
    return (await this.ofCredential({ kind: 'session', key: id }, now))?.user ?? null;
  }

  /** The user of a credential; null if it is unknown, expired or revoked, or its user was removed. */
  async ofCredential(credential: Credential, now = Date.now()): Promise<TokenUser | null> {
    const { key } = credential;
    return this.#cache.get(key, now) ?? this.#cache.read(key, () => this.#load(credential, now));
  }

  /**
   * Forgets credentials and users at once. The process that changes them calls this, because its own message can reach it
   * after the next request does.
   */
  forget(revoked: Revoked): void {
    this.#cache.noteChange((cache) => forget(revoked, cache));
    this.#tell(revoked);
  }

  /** Calls back with what has ended or changed, once this directory no longer answers with it. */
  onRevoked(listener: (revoked: Revoked) => void): void {
    this.#listeners.push(listener);
  }

  #tell(revoked: Revoked): void {
    for (const listener of this.#listeners) listener(revoked);
  }

  close(): void {
    this.#cache.close();
  }

  /** A read stands for the uses of the minute that its result is kept. */
  async #load(credential: Credential, now: number): Promise<CachedValue<Cached> | null> {
    const found = await findCredential(credential, this.#sources, now);
    const user = found && (await this.#sources.users.byId(found.userId));
    if (!found || !user) {
      this.#valid.delete(credential.key);
      return null;
    }
    this.#valid.set(credential.key, true);
    noteCredentialUse(credential, found, this.#sources, now);
    const untilMs = Math.min(now + longestAgeMs, found.expiresAt.getTime());
    const { scopes, resource, grantId } = found;
    return { value: { user: toSignedIn(found, user), scopes, resource, grantId }, untilMs };
  }
}

function forget(
  { sessions = [], tokens = [], grants = [], users = [] }: Revoked,
  cache: SubscribedCache<Cached>,
): void {
  for (const key of [...sessions, ...tokens]) cache.delete(key);
  if (users.length + grants.length === 0) return;
  const ended = new Set(grants);
  const changed = new Set(users);
  cache.deleteWhere(
    ({ user, grantId }) => changed.has(user.userId) || (grantId !== null && ended.has(grantId)),
  );
}

/** A token opens no session, and never operates the service. */
const toSignedIn = (
  { userId, sessionId }: StoredCredential,
  { email, plan, operator, emailVerifiedAt }: User,
): SignedIn => ({
  userId,
  sessionId,
  email,
  plan,
  operator: operator && sessionId !== '',
  isVerified: emailVerifiedAt !== null,
});
