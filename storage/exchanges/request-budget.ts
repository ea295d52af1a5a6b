import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { luaExactNow } from '../servers/lua-now.js';
import { runScript } from '../servers/redis.js';

/**
 * Takes a cost from the budget and returns the ms to wait before the request may be sent; below 0: nothing was taken,
 * because the wait would be that long. The stored number is the time at which the bucket is full again (the generic cell
 * rate algorithm of ATM Forum TM 4.0, 1996). The clock is that of Redis, so that all processes share it.
 */
const takeScript = `${luaExactNow}
local cost, burst, longest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local wait = math.max(0, full + math.min(cost, burst) - burst - now)
if wait > longest then return -math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', full + cost), 'PX', math.ceil(full + cost - now) + 1000)
return math.ceil(wait)`;

/** The part of a minute's budget that may be spent at once. */
const burstShare = 0.05;
const longestWaitMs = 60_000;

/** The request budget of one exchange over all processes: a token bucket in Redis. */
export class RequestBudget {
  readonly #redis: Redis;
  readonly #key: string;
  /** The time in which one unit of cost is refilled. */
  readonly #unitMs: number;
  readonly #burstMs: number;

  /** `perMinute`: the highest cost of any minute, in the units of `take`. */
  constructor(redis: Redis, exchange: string, perMinute: number) {
    this.#redis = redis;
    this.#key = `tidemark:budget:${exchange}`;
    this.#unitMs = 60_000 / (perMinute * (1 - burstShare));
    this.#burstMs = burstShare * perMinute * this.#unitMs;
  }

  /**
   * Resolves when a request of this cost may be sent. Throws `exchange_unavailable` when the wait would exceed a minute,
   * `redis_unavailable` when Redis does not answer (the cost of other processes is then unknown), and `cancelled`.
   */
  async take(cost: number, signal: AbortSignal): Promise<void> {
    const waitMs = await this.reserve(cost);
    await pause(waitMs, undefined, { signal }).catch(() => {
      throw new AppError('cancelled', 'the request was cancelled before it was sent');
    });
  }

  /** Takes the cost and returns the ms to wait before the request may be sent. Throws as `take` does. */
  async reserve(cost: number): Promise<number> {
    const args = [cost * this.#unitMs, this.#burstMs, longestWaitMs];
    const waitMs = Number(await runScript(this.#redis, takeScript, this.#key, args));
    if (waitMs >= 0) return waitMs;
    const message = `the request budget is used up for the next ${Math.ceil(-waitMs / 1000)} s`;
    throw new AppError('exchange_unavailable', message, {
      details: { retryAfterMs: -waitMs - longestWaitMs },
    });
  }
}
