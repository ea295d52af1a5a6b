import {
  longestAttemptMs,
  type AttemptRules,
  type AttemptCounter,
  type AttemptStart,
  type AttemptEnd,
} from './attempt-counter.js';
import { boundedCache } from '../process/bounded-cache.js';

interface KeyState {
  failures: number;
  windowEnd: number;
  blockedUntil: number;
  /** When each attempt under way ends at the latest, by its id. */
  underWay: Map<string, number>;
}

const mostKeys = 20_000;

/** Counts attempts in the memory of one process, by the rules by which `SharedAttemptCounter` counts them for all. */
export class LocalAttemptCounter implements AttemptCounter {
  readonly #rules: AttemptRules;
  readonly #now: () => number;
  readonly #states = boundedCache<KeyState>(mostKeys);

  /** `now`: the time in ms of a clock that is never set, since nothing is counted beyond this process. */
  constructor(rules: AttemptRules, now = () => performance.now()) {
    this.#rules = rules;
    this.#now = now;
  }

  begin(key: string, id: string): Promise<AttemptStart> {
    const now = this.#now();
    const { failures, blockedUntil, underWay } = this.#read(key, now);
    let outcome: AttemptStart['outcome'] = 'begun';
    if (blockedUntil > now) outcome = 'blocked';
    else if (underWay.size >= Math.max(1, this.#rules.limit - failures)) outcome = 'busy';
    else underWay.set(id, now + longestAttemptMs);
    return Promise.resolve({ outcome, waitMs: Math.max(0, blockedUntil - now), failures });
  }

  end(key: string, id: string, ending: AttemptEnd): Promise<void> {
    const now = this.#now();
    const state = this.#read(key, now);
    state.underWay.delete(id);
    if (ending === 'failed') this.#fail(state, now);
    if (ending === 'succeeded' || (state.failures === 0 && state.underWay.size === 0))
      this.#states.delete(key);
    return Promise.resolve();
  }

  #fail(state: KeyState, now: number): void {
    const { limit, windowMs, firstDelayMs, longestDelayMs } = this.#rules;
    state.failures++;
    if (state.failures === 1) state.windowEnd = now + windowMs;
    if (state.failures < limit) return;
    state.blockedUntil = now + Math.min(longestDelayMs, firstDelayMs * 2 ** (state.failures - limit));
    state.windowEnd = state.blockedUntil + windowMs;
  }

  /** The state of the key, without attempts and failures whose time is over. */
  #read(key: string, now: number): KeyState {
    const state = this.#states.get(key) ?? { ...noFailures(), underWay: new Map<string, number>() };
    for (const [id, end] of state.underWay) if (end <= now) state.underWay.delete(id);
    if (state.windowEnd <= now) Object.assign(state, noFailures());
    this.#states.set(key, state);
    return state;
  }
}

const noFailures = () => ({ failures: 0, windowEnd: -Infinity, blockedUntil: -Infinity });
