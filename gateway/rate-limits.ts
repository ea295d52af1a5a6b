import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../compute/model/errors.js';
import type { Settings } from '../storage/settings.js';
import type { Plan } from '../storage/users.js';

/**
 * Whose points are counted: those of users by plan, of addresses without an account, of addresses at /v3/ai, and of those
 * there that come without a signature.
 */
export type RateBucket = Plan | 'guest' | 'signed' | 'agent';

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
    const limiter = (name: RateBucket, points: number) => {
      const options = { keyPrefix: `tidemark:rate:${name}`, points, duration: windowSeconds };
      const shared = new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true });
      return { shared, own: new RateLimiterMemory(options) };
    };
    this.#limiters = {
      free: limiter('free', settings.RATE_FREE),
      plus: limiter('plus', settings.RATE_PLUS),
      pro: limiter('pro', settings.RATE_PRO),
      guest: limiter('guest', settings.RATE_GUEST),
      signed: limiter('signed', settings.RATE_SIGNED),
      agent: limiter('agent', settings.RATE_AGENT),
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
