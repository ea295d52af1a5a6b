import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { SubscribedCache, type CachedValue } from '../servers/subscribed-cache.js';
import type { PersonalTokenRepository } from './personal-tokens.js';
import { revokedChannel, type Revoked } from './revoked.js';
import type { SignedIn } from './signed-in-directory.js';
import type { TokenScope } from './token-scopes.js';
import type { UserRepository } from './users.js';

/** A user by token, and what the token allows. */
export interface TokenUser {
  user: SignedIn;
  scopes: ReadonlySet<TokenScope>;
}

interface TokenSources {
  personalTokens: Pick<PersonalTokenRepository, 'find' | 'noteUse'>;
  users: Pick<UserRepository, 'byId'>;
}

/** How long a revocation stays unseen at most when its message was lost. */
const longestAgeMs = 60_000;
const mostCached = 20_000;

/** Users by personal access token, cached in memory until a message says that they have changed. */
export class PersonalTokenDirectory {
  readonly #sources: TokenSources;
  readonly #cache: SubscribedCache<TokenUser>;
  /** Keys of tokens that were valid when they were last read. */
  readonly #valid = new LRUCache<string, true>({ max: mostCached });

  /** `subscriber` is a Redis connection that nothing else uses. */
  constructor(sources: TokenSources, subscriber: Redis) {
    this.#sources = sources;
    this.#cache = new SubscribedCache(subscriber, {
      channel: revokedChannel,
      max: mostCached,
      onMessage: (message, cache) => forget(JSON.parse(message) as Revoked, cache),
    });
  }

  /** Whether a key was valid before: false for one that any client could have made up. */
  isPlausible(key: string): boolean {
    return this.#valid.has(key);
  }

  /** The user of a token by its key; null if it is unknown, expired or revoked, or its user was removed. */
  async ofKey(key: string, now = Date.now()): Promise<TokenUser | null> {
    const found = this.#cache.get(key, now) ?? (await this.#cache.read(key, () => this.#load(key, now)));
    return found;
  }

  /** Forgets tokens and users at once: a message of this process can reach it after the next request does. */
  forget(revoked: Revoked): void {
    this.#cache.noteChange((cache) => forget(revoked, cache));
  }

  close(): void {
    this.#cache.close();
  }

  /** A read stands for the uses of the minute that its result is kept. */
  async #load(key: string, now: number): Promise<CachedValue<TokenUser> | null> {
    const { personalTokens, users } = this.#sources;
    const token = await personalTokens.find(key, now);
    const user = token && (await users.byId(token.userId));
    if (!token || !user) {
      this.#valid.delete(key);
      return null;
    }
    this.#valid.set(key, true);
    void personalTokens.noteUse(key, now).catch(() => undefined);
    const { id: userId, email, plan, emailVerifiedAt } = user;
    // A token opens no session and never operates the service.
    const signedIn = { userId, email, plan, sessionId: '', operator: false };
    return {
      value: {
        user: { ...signedIn, isVerified: emailVerifiedAt !== null },
        scopes: new Set(token.scopes),
      },
      untilMs: Math.min(now + longestAgeMs, token.expiresAt.getTime()),
    };
  }
}

function forget({ tokens = [], users = [] }: Revoked, cache: SubscribedCache<TokenUser>): void {
  for (const key of tokens) cache.delete(key);
  if (users.length === 0) return;
  const changed = new Set(users);
  cache.deleteWhere(({ user }) => changed.has(user.userId));
}
