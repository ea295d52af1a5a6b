import type { Redis } from 'ioredis';
import { ChannelListener } from '../servers/channel-listener.js';
import { revokedChannel, type Revoked } from './revoked.js';
import { sessionIdOf, type Session, type SessionRepository } from './sessions.js';
import type { Plan, User, UserRepository } from './users.js';

/** A user who is signed in, as far as requests need to know. */
export interface SignedIn {
  userId: string;
  sessionId: string;
  email: string;
  plan: Plan;
  /** May see and steer the cluster. */
  operator: boolean;
}

/** The longest a change can stay unseen when its message was lost. */
const longestAgeMs = 60_000;
const mostCached = 20_000;

interface Cached {
  signedIn: SignedIn;
  until: number;
}

/** Signed-in users by session token, kept in memory for as long as nobody tells that they have changed. */
export class SignedInDirectory {
  readonly #sessions: Pick<SessionRepository, 'find'>;
  readonly #users: Pick<UserRepository, 'byId'>;
  readonly #listener: ChannelListener;
  /** In order of coming, the latest last. */
  readonly #cached = new Map<string, Cached>();
  /** Reads under way: those who ask at the same moment share one. */
  readonly #reading = new Map<string, { mark: number; signedIn: Promise<SignedIn | null> }>();

  /** `subscriber` is a connection of the directory's own. */
  constructor(
    sources: { sessions: Pick<SessionRepository, 'find'>; users: Pick<UserRepository, 'byId'> },
    subscriber: Redis,
  ) {
    this.#sessions = sources.sessions;
    this.#users = sources.users;
    this.#listener = new ChannelListener(subscriber, {
      channel: revokedChannel,
      heard: (message) => this.#forget(JSON.parse(message) as Revoked),
      lost: () => this.#cached.clear(),
    });
  }

  /** Who is signed in with that token; null if it is malformed, unknown or expired, or its user is gone. */
  async find(token: string, now = Date.now()): Promise<SignedIn | null> {
    const id = sessionIdOf(token);
    if (id === null) return null;
    const cached = this.#cached.get(id);
    if (cached && cached.until > now) return cached.signedIn;
    const reading = this.#reading.get(id);
    // Not one that began before an end which whoever asks now may know of.
    if (reading && this.#listener.isUnchangedSince(reading.mark)) return reading.signedIn;
    return this.#share(id, now);
  }

  close(): void {
    this.#listener.close();
  }

  async #share(id: string, now: number): Promise<SignedIn | null> {
    const { mark } = this.#listener;
    const reading = { mark, signedIn: this.#read(id, mark, now) };
    this.#reading.set(id, reading);
    try {
      return await reading.signedIn;
    } finally {
      if (this.#reading.get(id) === reading) this.#reading.delete(id);
    }
  }

  async #read(id: string, mark: number, now: number): Promise<SignedIn | null> {
    const session = await this.#sessions.find(id, now);
    const user = session && (await this.#users.byId(session.userId));
    if (!session || !user) return null;
    const signedIn = toSignedIn(session, user);
    if (this.#listener.isUnchangedSince(mark)) this.#keep(signedIn, session, now);
    return signedIn;
  }

  #keep(signedIn: SignedIn, session: Session, now: number): void {
    const until = Math.min(now + longestAgeMs, session.expiresAt.getTime());
    this.#cached.delete(session.id);
    this.#cached.set(session.id, { signedIn, until });
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= mostCached) break;
      this.#cached.delete(oldest);
    }
  }

  #forget({ sessions = [], users = [] }: Revoked): void {
    for (const id of sessions) this.#cached.delete(id);
    if (users.length === 0) return;
    const gone = new Set(users);
    for (const [id, { signedIn }] of this.#cached) if (gone.has(signedIn.userId)) this.#cached.delete(id);
  }
}

const toSignedIn = (session: Session, { email, plan, operator }: User): SignedIn => ({
  userId: session.userId,
  sessionId: session.id,
  email,
  plan,
  operator,
});
