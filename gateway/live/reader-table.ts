import { AppError } from '../../compute/model/errors.js';
import type { LiveReader } from './live-reader.js';

const mostOfSession = 4;
const mostOfNetwork = 20;

/** The readers of a gateway, by what they hear of, and how many one caller may have. */
export class ReaderTable {
  readonly #most: number;
  readonly #all = new Set<LiveReader>();
  readonly #byTarget = new Map<string, Set<LiveReader>>();
  /** By session or network, the oldest first. */
  readonly #byCaller = new Map<string, Set<LiveReader>>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Adds a reader; the oldest of a session gives way. Throws `gateway_busy`, and `rate_limited` for a network of visitors. */
  add(reader: LiveReader): void {
    const own = this.#byCaller.get(callerOf(reader)) ?? new Set();
    if (reader.options.user) {
      const [oldest] = own;
      if (own.size >= mostOfSession) oldest.close(`at most ${mostOfSession} streams of a session are open`);
    } else if (own.size >= mostOfNetwork) {
      const message = `at most ${mostOfNetwork} streams of a network are open without a session`;
      throw new AppError('rate_limited', message, { details: refusedDetails });
    }
    if (this.#all.size >= this.#most)
      throw new AppError('gateway_busy', `this gateway has its ${this.#most} streams; try again in a moment`);
    this.#all.add(reader);
    addTo(this.#byCaller, callerOf(reader), reader);
    for (const target of reader.targets) addTo(this.#byTarget, target, reader);
  }

  remove(reader: LiveReader): void {
    this.#all.delete(reader);
    removeFrom(this.#byCaller, callerOf(reader), reader);
    for (const target of reader.targets) removeFrom(this.#byTarget, target, reader);
  }

  all(): ReadonlySet<LiveReader> {
    return this.#all;
  }

  of(target: string): ReadonlySet<LiveReader> {
    return this.#byTarget.get(target) ?? nobody;
  }

  targets(): string[] {
    return [...this.#byTarget.keys()];
  }

  users(): Set<string> {
    return new Set([...this.#all].flatMap(({ options: { user } }) => (user ? [user.userId] : [])));
  }
}

const nobody: ReadonlySet<LiveReader> = new Set();

/** The form of the details that the limit of points has. */
const refusedDetails = { limit: mostOfNetwork, remaining: 0, retryAfterSeconds: 60 };

const callerOf = ({ options: { user, network } }: LiveReader): string =>
  user ? `session ${user.sessionId || user.userId}` : `network ${network}`;

function addTo(map: Map<string, Set<LiveReader>>, key: string, reader: LiveReader): void {
  const readers = map.get(key) ?? new Set();
  map.set(key, readers.add(reader));
}

function removeFrom(map: Map<string, Set<LiveReader>>, key: string, reader: LiveReader): void {
  const readers = map.get(key);
  readers?.delete(reader);
  if (readers?.size === 0) map.delete(key);
}
