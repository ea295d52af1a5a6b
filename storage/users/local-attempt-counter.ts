import {
  longestAttemptMs,
  type AttemptRules,
  type AttemptCounter,
  type AttemptStart,
  type AttemptEnd,
} from './attempt-counter.js';

interface Counted {
  failures: number;
  windowEnd: number;
  blockedUntil: number;
  /** When the attempts under way end at the latest, by id. */
  underWay: Map<string, number>;
}

/** The least recently used go first beyond this. */
const mostKeys = 20_000;

/** AttemptCounter counted by one process for itself, as `SharedAttemptCounter` does it for all. */
export class LocalAttemptCounter implements AttemptCounter {
  readonly #rules: AttemptRules;
  readonly #counted = new Map<string, Counted>();

  constructor(rules: AttemptRules) {
    this.#rules = rules;
  }

  begin(key: string, id: string, now: number): Promise<AttemptStart> {
    const counted = this.#read(key, now);
    const { failures, blockedUntil, underWay } = counted;
    let outcome: AttemptStart['outcome'] = 'begun';
    if (blockedUntil > now) outcome = 'blocked';
    else if (underWay.size >= Math.max(1, this.#rules.limit - failures)) outcome = 'busy';
    else underWay.set(id, now + longestAttemptMs);
    return Promise.resolve({ outcome, waitMs: Math.max(0, blockedUntil - now), failures });
  }

  end(key: string, id: string, ending: AttemptEnd, now: number): Promise<void> {
    const counted = this.#read(key, now);
    counted.underWay.delete(id);
    if (ending === 'failed') this.#fail(counted, now);
    if (ending === 'succeeded' || (counted.failures === 0 && counted.underWay.size === 0))
      this.#counted.delete(key);
    return Promise.resolve();
  }

  #fail(counted: Counted, now: number): void {
    const { limit, windowMs, firstDelayMs, longestDelayMs } = this.#rules;
    counted.failures++;
    if (counted.failures === 1) counted.windowEnd = now + windowMs;
    if (counted.failures < limit) return;
    counted.blockedUntil = now + Math.min(longestDelayMs, firstDelayMs * 2 ** (counted.failures - limit));
    counted.windowEnd = counted.blockedUntil + windowMs;
  }

  /** What is counted for the key, without what is over. */
  #read(key: string, now: number): Counted {
    const counted = this.#counted.get(key) ?? { ...none(), underWay: new Map<string, number>() };
    for (const [id, end] of counted.underWay) if (end <= now) counted.underWay.delete(id);
    if (counted.windowEnd <= now) Object.assign(counted, none());
    this.#counted.delete(key);
    this.#counted.set(key, counted);
    for (const oldest of this.#counted.keys()) {
      if (this.#counted.size <= mostKeys) break;
      this.#counted.delete(oldest);
    }
    return counted;
  }
}

const none = () => ({ failures: 0, windowEnd: 0, blockedUntil: 0 });
