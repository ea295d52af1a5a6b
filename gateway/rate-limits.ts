import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../compute/model/errors.js';
import { pointsPerMinute, ratePrefix, type RateBucket } from '../storage/limit-keys.js';
import type { Settings } from '../storage/settings.js';

/** What is left of the points of the current minute. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Whole seconds until all are there again. */
  resetSeconds: number;
}

const windowSeconds = 60;
/** After Redis has failed, it is left alone for this long: nobody waits for it twice. */
const avoidRedisMs = 1_000;

/**
 * Points per minute, counted in Redis over all gateways. While Redis is away each gateway counts for itself: a limit is
 * then a little wider, and light reads go on.
 */
export class RateLimits {
  readonly #limiters: Record<RateBucket, { shared: RateLimiterRedis; own: RateLimiterMemory }>;
  #avoidUntil = 0;

  /** `redis` is a connection with a short time limit: a slow Redis must not hold up what needs none. */
  constructor(redis: Redis, settings: Settings) {
    const limiter = (bucket: RateBucket) => {
      const points = pointsPerMinute(settings)[bucket];
      const options = { keyPrefix: ratePrefix(bucket), points, duration: windowSeconds };
      const shared = new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true });
      return { shared, own: new RateLimiterMemory(options) };
    };
    this.#limiters = {
      free: limiter('free'),
      plus: limiter('plus'),
      pro: limiter('pro'),
      guest: limiter('guest'),
      signed: limiter('signed'),
      agent: limiter('agent'),
    };
  }

  /** Takes points off the current minute of `key`. Throws `rate_limited`, and takes none, where too few are left. */
  async consume(bucket: RateBucket, key: string, points: number): Promise<RateState> {
    const { shared, own } = this.#limiters[bucket];
    if (Date.now() < this.#avoidUntil) return take(own, key, points);
    try {
      return await take(shared, key, points);
    } catch (error) {
      if (error instanceof AppError) throw error;
      this.#avoidUntil = Date.now() + avoidRedisMs;
      return take(own, key, points);
    }
  }
}

async function take(
  limiter: RateLimiterRedis | RateLimiterMemory,
  key: string,
  points: number,
): Promise<RateState> {
  const taken: unknown = await limiter.consume(key, points).catch((refusal: unknown) => refusal);
  if (!(taken instanceof RateLimiterRes)) throw taken;
  const state = {
    limit: limiter.points,
    remaining: taken.remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(taken.msBeforeNext / 1_000)),
  };
  if (taken.consumedPoints <= limiter.points) return state;
  // A question that costs much was refused: what is left serves questions that cost little.
  if (points > 1) await limiter.reward(key, points);
  const remaining = Math.max(0, limiter.points - taken.consumedPoints + points);
  throw tooMany({ ...state, remaining }, points);
}

function tooMany({ limit, remaining, resetSeconds }: RateState, points: number): AppError {
  const cost = points === 1 ? '' : ` (this one costs ${points}, ${remaining} are left)`;
  const message = `at most ${limit} points a minute${cost}; try again in ${resetSeconds} s`;
  return new AppError('rate_limited', message, {
    details: { limit, remaining, retryAfterSeconds: resetSeconds },
  });
}
