import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../../compute/model/errors.js';
import { pointsPerMinute, ratePrefix, type RateBucket } from '../../storage/users/limit-keys.js';
import type { Settings } from '../../storage/process/settings.js';
import { SpentPoints } from './point-cache.js';

/** What is left of the points of the current minute. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Whole seconds until all are there again. */
  resetSeconds: number;
}

interface Limiter {
  shared: RateLimiterRedis;
  own: RateLimiterMemory;
  /** What is known here of the points in Redis, and how far that is relied on. */
  spent: SpentPoints;
  most: { spent: number; unknown: number };
}

const windowSeconds = 60;
/** After Redis has failed, it is left alone for this long: nobody waits for it twice. */
const avoidRedisMs = 1_000;
/** How long points that were taken here stay unknown to other gateways. */
const settleMs = 100;

/**
 * Points per minute, counted in Redis over all gateways. Whoever has spent less than half of them is let through at once,
 * and Redis is told a moment later, of all points together; whoever has spent more, or an eighth in that moment, waits for
 * Redis. So one gateway lets no more through than there are points, and each further one an eighth more in the worst
 * moment. While Redis is away each gateway counts for itself: a limit is then a little wider, and light reads go on.
 */
export class RateLimits {
  readonly #limiters: Record<RateBucket, Limiter>;
  readonly #settling: NodeJS.Timeout;
  #avoidUntil = 0;

  /** `redis` is a connection with a short time limit: a slow Redis must not hold up what needs none. */
  constructor(redis: Redis, settings: Settings) {
    const limiter = (bucket: RateBucket): Limiter => {
      const points = pointsPerMinute(settings)[bucket];
      const options = { keyPrefix: ratePrefix(bucket), points, duration: windowSeconds };
      const shared = new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true });
      const most = { spent: points / 2, unknown: points / 8 };
      return { shared, own: new RateLimiterMemory(options), spent: new SpentPoints(), most };
    };
    this.#limiters = {
      free: limiter('free'),
      plus: limiter('plus'),
      pro: limiter('pro'),
      guest: limiter('guest'),
      signed: limiter('signed'),
      agent: limiter('agent'),
    };
    this.#settling = setInterval(() => void this.#settle(), settleMs).unref();
  }

  /** Takes points off the current minute of `key`. Throws `rate_limited`, and takes none, where too few are left. */
  async consume(bucket: RateBucket, key: string, points: number): Promise<RateState> {
    const limiter = this.#limiters[bucket];
    const { shared, own, spent, most } = limiter;
    const now = Date.now();
    if (now < this.#avoidUntil) return take(own, key, points);
    const known = spent.take(key, points, most, now);
    if (known) return stateOf(shared.points, known.spent, known.until - now);
    const answered = spent.ask(key, points);
    try {
      // Redis hears of what was taken here before it is asked.
      void this.#tell(limiter, key);
      return await take(shared, key, points, spent);
    } catch (error) {
      if (error instanceof AppError) throw error;
      this.#avoidUntil = Date.now() + avoidRedisMs;
      return await take(own, key, points);
    } finally {
      answered();
    }
  }

  /** Tells Redis of all that it has not been told of, and counts no more. */
  async close(): Promise<void> {
    clearInterval(this.#settling);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    const told = Object.values(this.#limiters).flatMap((limiter) =>
      limiter.spent.untold.map((key) => this.#tell(limiter, key)),
    );
    await Promise.all(told);
  }

  /** Tells Redis of the points of a key that it has not been told of; while it is away they count here. */
  async #tell({ shared, own, spent }: Limiter, key: string): Promise<void> {
    const points = spent.handOver(key, Date.now());
    if (points === 0) return;
    try {
      const { consumedPoints, msBeforeNext } = await ask(shared, key, points);
      spent.arrived(key, points, Date.now());
      spent.learn(key, consumedPoints, msBeforeNext, Date.now());
    } catch {
      spent.arrived(key, points, Date.now());
      this.#avoidUntil = Date.now() + avoidRedisMs;
      await ask(own, key, points);
    }
  }
}

/** What a limiter says, be it yes or no. */
async function ask(
  limiter: RateLimiterRedis | RateLimiterMemory,
  key: string,
  points: number,
): Promise<RateLimiterRes> {
  const said: unknown = await limiter.consume(key, points).catch((refusal: unknown) => refusal);
  if (said instanceof RateLimiterRes) return said;
  throw said;
}

async function take(
  limiter: RateLimiterRedis | RateLimiterMemory,
  key: string,
  points: number,
  learning?: SpentPoints,
): Promise<RateState> {
  const { consumedPoints, msBeforeNext } = await ask(limiter, key, points);
  const isRefused = consumedPoints > limiter.points;
  // A question that costs much was refused: what is left serves questions that cost little.
  if (isRefused && points > 1) await limiter.reward(key, points);
  learning?.learn(key, isRefused ? consumedPoints - points : consumedPoints, msBeforeNext, Date.now());
  if (!isRefused) return stateOf(limiter.points, consumedPoints, msBeforeNext);
  throw tooMany(stateOf(limiter.points, consumedPoints - points, msBeforeNext), points);
}

const stateOf = (limit: number, spent: number, leftMs: number): RateState => ({
  limit,
  remaining: Math.max(0, limit - spent),
  resetSeconds: Math.max(1, Math.ceil(leftMs / 1_000)),
});

function tooMany({ limit, remaining, resetSeconds }: RateState, points: number): AppError {
  const cost = points === 1 ? '' : ` (this one costs ${points}, ${remaining} are left)`;
  const message = `at most ${limit} points a minute${cost}; try again in ${resetSeconds} s`;
  return new AppError('rate_limited', message, {
    details: { limit, remaining, retryAfterSeconds: resetSeconds },
  });
}
