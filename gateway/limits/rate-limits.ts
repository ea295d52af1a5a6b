import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../compute/model/errors.js';
import { pointsPerMinute, ratePrefix, type RateBucket } from '../../storage/users/limit-keys.js';
import type { Settings } from '../../storage/process/settings.js';
import { PointCache } from './point-cache.js';
import { RedisFallback } from './redis-fallback.js';

/** What is left of the points of the current minute. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Whole seconds until the minute ends and all points are available again. */
  resetSeconds: number;
}

/** Whose points a request spends: a bucket, and the key of a user or network in it. */
export interface RateKey {
  bucket: RateBucket;
  key: string;
  /** Who shares the points, for the message of a refusal; absent if the points are the caller's own. */
  sharedBy?: string;
}

interface Limiter {
  shared: RateLimiterRedis;
  local: RateLimiterMemory;
  /** The counts of Redis as known here, and up to which counts this process decides without Redis. */
  cache: PointCache;
  most: { spent: number; unknown: number };
}

const windowSeconds = 60;
/** How often points spent here are sent to Redis. */
const sendEveryMs = 100;

/**
 * Points per minute, counted in Redis over all gateways. A request of a key that has spent less than half of its points
 * passes at once, and its points are sent to Redis a moment later, together with those of other requests. A request waits for
 * Redis if more than half of the points are spent, or if Redis does not know of more than an eighth. So one gateway alone never
 * exceeds a limit, and each further one exceeds it by at most an eighth. While Redis does not answer each gateway counts for itself.
 */
export class RateLimits {
  readonly #limiters: Record<RateBucket, Limiter>;
  readonly #sending: NodeJS.Timeout;
  readonly #fallback = new RedisFallback();

  /** `redis` is a connection with a short time limit: a slow Redis must not delay requests that need none. */
  constructor(redis: Redis, settings: Settings) {
    const limiter = (bucket: RateBucket, points: number): Limiter => {
      const options = { keyPrefix: ratePrefix(bucket), points, duration: windowSeconds };
      const shared = new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true });
      const most = { spent: points / 2, unknown: points / 8 };
      return { shared, local: new RateLimiterMemory(options), cache: new PointCache(), most };
    };
    const limits = Object.entries(pointsPerMinute(settings)) as [RateBucket, number][];
    this.#limiters = Object.fromEntries(
      limits.map(([bucket, points]) => [bucket, limiter(bucket, points)]),
    ) as Record<RateBucket, Limiter>;
    this.#sending = setInterval(() => void this.#sendAll(), sendEveryMs).unref();
  }

  /**
   * Spends the same points of every key, in one round trip at most. Returns the state of the key with the fewest points left.
   * Throws `rate_limited` if one key has too few points, and gives those of the others back.
   */
  async consume(keys: readonly RateKey[], points: number): Promise<RateState> {
    if (keys.length === 1) return this.#consume(keys[0], points);
    const spent = await Promise.allSettled(keys.map((key) => this.#consume(key, points)));
    const refused = spent.findIndex(({ status }) => status === 'rejected');
    if (refused === -1)
      return scarcest(spent.map((each) => (each as PromiseFulfilledResult<RateState>).value));
    keys.forEach((key, i) => {
      if (spent[i].status === 'fulfilled') this.refund(key, points);
    });
    throw refusalOf((spent[refused] as PromiseRejectedResult).reason, keys[refused]);
  }

  /** Spends points of a key and returns what is left. Null, and nothing is spent, if this process can't decide without Redis. */
  spendKnown({ bucket, key }: RateKey, points: number): RateState | null {
    const { shared, cache, most } = this.#limiters[bucket];
    const now = Date.now();
    const known = this.#fallback.isActive(now) ? null : cache.spend(key, points, most, now);
    return known && stateOf(shared.points, known.spent, known.until - now);
  }

  /** What is left of the points of a key, without spending any. Throws while neither Redis nor this process knows. */
  async read({ bucket, key }: RateKey): Promise<RateState> {
    const { shared, local, cache } = this.#limiters[bucket];
    const now = Date.now();
    const isAway = this.#fallback.isActive(now);
    const known = isAway ? null : cache.read(key, now);
    if (known) return stateOf(shared.points, known.spent, known.until - now);
    const found = await this.#fallback.run(
      () => shared.get(key),
      () => local.get(key),
    );
    return stateOf(shared.points, found?.consumedPoints ?? 0, found?.msBeforeNext ?? 0);
  }

  /** Gives back points of the current minute that were spent here, so that they can be spent here again. */
  refund({ bucket, key }: RateKey, points: number): void {
    const { local, cache } = this.#limiters[bucket];
    const now = Date.now();
    if (this.#fallback.isActive(now)) void local.reward(key, points);
    else cache.refund(key, points, now);
  }

  /**
   * Whether work that only reads may begin before the points are spent. Not if this process decides alone, because that takes
   * no time. Not if it knows that too few points are left either, because a refused request must cost no work.
   */
  mayRunAhead(keys: readonly RateKey[], points: number): boolean {
    const now = Date.now();
    if (this.#fallback.isActive(now)) return false;
    return keys.every(({ bucket, key }) => {
      const { shared, cache } = this.#limiters[bucket];
      return !cache.isBeyond(key, points, shared.points, now);
    });
  }

  /** Sends Redis all unsent points and stops sending. */
  async close(): Promise<void> {
    clearInterval(this.#sending);
    await this.#sendAll();
  }

  async #consume({ bucket, key }: RateKey, points: number): Promise<RateState> {
    const known = this.spendKnown({ bucket, key }, points);
    if (known) return known;
    const limiter = this.#limiters[bucket];
    const { shared, local, cache } = limiter;
    if (this.#fallback.isActive(Date.now())) return take(local, key, points);
    const release = cache.reserve(key, points);
    const askRedis = () => {
      // The unsent points go first, so that Redis decides with the full count.
      void this.#send(limiter, key);
      return take(shared, key, points, cache);
    };
    return this.#fallback.run(askRedis, () => take(local, key, points)).finally(release);
  }

  async #sendAll(): Promise<void> {
    const sent = Object.values(this.#limiters).flatMap((limiter) =>
      limiter.cache.unsentKeys.map((key) => this.#send(limiter, key)),
    );
    await Promise.all(sent);
  }

  /** Sends Redis the unsent points of a key; while Redis does not answer they count in this process. */
  async #send({ shared, local, cache }: Limiter, key: string): Promise<void> {
    const points = cache.takeUnsent(key, Date.now());
    if (points === 0) return;
    const toRedis = async () => {
      const { consumedPoints, msBeforeNext } = await consumed(shared, key, points);
      cache.confirm(key, points, Date.now());
      cache.update(key, consumedPoints, msBeforeNext, Date.now());
    };
    const toMemory = async () => {
      cache.confirm(key, points, Date.now());
      await consumed(local, key, points);
    };
    await this.#fallback.run(toRedis, toMemory);
  }
}

/** The limiter's answer, whether it allows or refuses the points. Throws when its store does not answer. */
async function consumed(
  limiter: RateLimiterRedis | RateLimiterMemory,
  key: string,
  points: number,
): Promise<RateLimiterRes> {
  const answer: unknown = await limiter.consume(key, points).catch((refusal: unknown) => refusal);
  if (answer instanceof RateLimiterRes) return answer;
  throw answer;
}

async function take(
  limiter: RateLimiterRedis | RateLimiterMemory,
  key: string,
  points: number,
  cache?: PointCache,
): Promise<RateState> {
  const { consumedPoints, msBeforeNext } = await consumed(limiter, key, points);
  const isRefused = consumedPoints > limiter.points;
  // The limiter counts refused points as well. They are given back, so that cheaper requests can use the points left.
  if (isRefused && points > 1) await limiter.reward(key, points);
  cache?.update(key, isRefused ? consumedPoints - points : consumedPoints, msBeforeNext, Date.now());
  if (!isRefused) return stateOf(limiter.points, consumedPoints, msBeforeNext);
  throw tooMany(stateOf(limiter.points, consumedPoints - points, msBeforeNext), points);
}

const scarcest = (states: readonly RateState[]): RateState =>
  states.reduce((least, state) => (state.remaining < least.remaining ? state : least));

const stateOf = (limit: number, spent: number, leftMs: number): RateState => ({
  limit,
  remaining: Math.max(0, limit - spent),
  resetSeconds: Math.max(1, Math.ceil(leftMs / 1_000)),
});

/** The refusal; its message says who shares the points, if they are shared. */
function refusalOf(refusal: unknown, { sharedBy }: RateKey): unknown {
  if (sharedBy === undefined || !(refusal instanceof AppError)) return refusal;
  const { code, message, details } = refusal;
  return new AppError(code, `${message}; the points are shared by ${sharedBy}`, { details });
}

function tooMany({ limit, remaining, resetSeconds }: RateState, points: number): AppError {
  const cost = points === 1 ? '' : ` (this one costs ${points}, ${remaining} are left)`;
  const message = `at most ${limit} points a minute${cost}; try again in ${resetSeconds} s`;
  return new AppError('rate_limited', message, {
    details: { limit, remaining, retryAfterSeconds: resetSeconds },
  });
}
