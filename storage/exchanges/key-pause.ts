import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { runScript } from '../servers/redis.js';
import type { ExchangeKey } from './open-ccxt.js';

/** A longer pause that is running stays. */
const startScript = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 0`;

const readScript = `return {redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[1]) or ''}`;

/**
 * The pause that an exchange asked for one API key, shared by all processes. Other keys and the market data are not affected.
 * Redis holds a digest of key and secret. With a digest of the key alone, a user without the secret could pause the key of another.
 */
export class KeyPause {
  readonly #redis: Redis;
  readonly #exchange: string;
  readonly #key: string;

  constructor(redis: Redis, exchange: string, { apiKey, secret }: ExchangeKey) {
    this.#redis = redis;
    this.#exchange = exchange;
    const digest = createHash('sha256')
      .update(JSON.stringify([apiKey, secret]))
      .digest('base64url');
    this.#key = `tidemark:key-pause:${exchange}:${digest}`;
  }

  /** Starts the pause, unless a longer one is running. Throws `redis_unavailable`. */
  async start(pauseMs: number, reason: string): Promise<void> {
    await runScript(this.#redis, startScript, this.#key, [reason, Math.max(1, Math.ceil(pauseMs))]);
  }

  /** Throws `exchange_unavailable` with `retryAfterMs` during the pause, and `redis_unavailable`. */
  async check(): Promise<void> {
    const [leftMs, reason] = (await runScript(this.#redis, readScript, this.#key, [])) as [number, string];
    if (leftMs > 0) throw this.error(leftMs, reason);
  }

  /** The error of a request that falls into the pause. */
  error(leftMs: number, reason: string): AppError {
    const seconds = Math.ceil(leftMs / 1000);
    const message = `requests with this key to ${this.#exchange} are paused for ${seconds} s: ${reason}`;
    return new AppError('exchange_unavailable', message, { details: { retryAfterMs: leftMs } });
  }
}
