import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { luaNow } from '../servers/lua-now.js';
import { runScript } from '../servers/redis.js';

/** When a circuit opens, and for how long. */
export interface CircuitLimits {
  /** Failures in a row that open it. */
  failures: number;
  /** How long it is open the first time; twice as long each time after, up to `longestPauseMs`. */
  pauseMs: number;
  longestPauseMs: number;
  /** How long the one request that tries may take before another one does. */
  trialMs: number;
}

const usual: CircuitLimits = { failures: 5, pauseMs: 5_000, longestPauseMs: 300_000, trialMs: 15_000 };

const clock = `${luaNow}
local openUntil = tonumber(redis.call('HGET', KEYS[1], 'openUntil') or '0')
`;

/** Answers how many ms to wait and why; 0: the request may go. Once the pause is over one request goes, as a trial. */
const admitScript = `${clock}
if openUntil == 0 then return {0, ''} end
local reason = redis.call('HGET', KEYS[1], 'reason')
if now < openUntil then return {openUntil - now, reason} end
local trialUntil = tonumber(redis.call('HGET', KEYS[1], 'trialUntil') or '0')
if now < trialUntil then return {math.min(1000, trialUntil - now), reason} end
redis.call('HSET', KEYS[1], 'trialUntil', now + ARGV[1])
return {0, ''}`;

const openScript = `${clock}
if now >= openUntil then return {0, ''} end
return {openUntil - now, redis.call('HGET', KEYS[1], 'reason')}`;

/** A success closes the circuit, unless it was opened after the request had been sent. */
const successScript = `${clock}
if now >= openUntil then redis.call('DEL', KEYS[1]) end
return 0`;

/** A pause that the exchange asked for counts as it is; of other failures those that open the circuit double it. */
const failureScript = `${clock}
local reason, asked, limit, first, longest = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
if asked > 0 then
  redis.call('HSET', KEYS[1], 'openUntil', math.max(openUntil, now + asked), 'reason', reason)
elseif now >= openUntil and (openUntil > 0 or failures >= limit) then
  local pause = math.min(longest, 2 * tonumber(redis.call('HGET', KEYS[1], 'pause') or first / 2))
  redis.call('HSET', KEYS[1], 'openUntil', now + pause, 'pause', pause, 'reason', reason)
end
redis.call('HDEL', KEYS[1], 'trialUntil')
redis.call('PEXPIRE', KEYS[1], math.max(openUntil - now, asked, longest) + 3600000)
return 0`;

/**
 * Keeps all processes from asking an exchange that is away or has told them to stop. Closed: requests go. Open: none
 * goes until the pause is over. Then one goes as a trial: its success closes the circuit, its failure opens it again.
 */
export class CircuitBreaker {
  readonly #redis: Redis;
  readonly #exchange: string;
  readonly #key: string;
  readonly #limits: CircuitLimits;

  constructor(redis: Redis, exchange: string, limits: Partial<CircuitLimits> = {}) {
    this.#redis = redis;
    this.#exchange = exchange;
    this.#key = `tidemark:circuit:${exchange}`;
    this.#limits = { ...usual, ...limits };
  }

  /**
   * Resolves when a request may go; its end must then be told. Throws `exchange_unavailable` with `retryAfterMs` while
   * the circuit is open, and `redis_unavailable` when Redis is away.
   */
  async admit(): Promise<void> {
    this.#refuse(await runScript(this.#redis, admitScript, this.#key, [this.#limits.trialMs]));
  }

  /** Throws as `admit` does if the circuit was opened since the request was admitted. */
  async check(): Promise<void> {
    this.#refuse(await runScript(this.#redis, openScript, this.#key, []));
  }

  /** The exchange has answered. */
  async succeeded(): Promise<void> {
    await runScript(this.#redis, successScript, this.#key, []);
  }

  /** The exchange has failed; `askedPauseMs` above 0: it has told how long it wants to be left alone. */
  async failed(reason: string, askedPauseMs = 0): Promise<void> {
    const { failures, pauseMs, longestPauseMs } = this.#limits;
    const args = [reason, Math.ceil(askedPauseMs), failures, pauseMs, longestPauseMs];
    await runScript(this.#redis, failureScript, this.#key, args);
  }

  #refuse(answer: unknown): void {
    const [retryAfterMs, reason] = answer as [number, string];
    if (retryAfterMs <= 0) return;
    const message = `${this.#exchange} is left alone for ${Math.ceil(retryAfterMs / 1000)} s: ${reason}`;
    throw new AppError('exchange_unavailable', message, { details: { retryAfterMs } });
  }
}
