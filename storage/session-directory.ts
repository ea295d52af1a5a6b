import type { Session, SessionRepository } from './sessions.js';

/** The longest that a session which was ended elsewhere still counts. */
const longestAgeMs = 2_000;
const mostSessions = 10_000;

/** Sessions by token, looked up at most every two seconds each, so that a busy client costs no read per request. */
export class SessionDirectory {
  readonly #source: Pick<SessionRepository, 'find'>;
  /** In the order in which they were looked up. Only sessions that exist are kept. */
  readonly #cached = new Map<string, { session: Session; until: number }>();

  constructor(source: Pick<SessionRepository, 'find'>) {
    this.#source = source;
  }

  /** The session of a token; null if the token is malformed, unknown or expired. */
  async find(token: string, now = Date.now()): Promise<Session | null> {
    const cached = this.#cached.get(token);
    if (cached && cached.until > now) return cached.session;
    this.#cached.delete(token);
    const session = await this.#source.find(token, now);
    if (session) this.#keep(token, session, now);
    return session;
  }

  #keep(token: string, session: Session, now: number): void {
    this.#cached.set(token, { session, until: Math.min(now + longestAgeMs, session.expiresAt.getTime()) });
    if (this.#cached.size <= mostSessions) return;
    const [oldest] = this.#cached.keys();
    this.#cached.delete(oldest);
  }
}
