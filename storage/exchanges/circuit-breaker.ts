import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { luaNow } from '../servers/redis-now.js';
import { runScript } from '../servers/redis.js';

/** When the circuit of an exchange opens, and for how long. */
export interface CircuitLimits {
  /** Number of failures in a row that opens the circuit. */
  failures: number;
  /** How long the circuit is open the first time; the pause doubles with each failed trial, up to `longestPauseMs`. */
  pauseMs: number;
  longestPauseMs: number;
  /** How long a trial request may take before another one is admitted. */
  trialMs: number;
}

const defaultLimits: CircuitLimits = {
  failures: 5,
  pauseMs: 5_000,
  longestPauseMs: 300_000,
  trialMs: 15_000,
};

const readOpenUntil = `${luaNow}
local openUntil = tonumber(redis.call('HGET', KEYS[1], 'openUntil') or '0')
`;

/** How a request is admitted. `clean`: nothing has failed since the last success, so its own success tells nothing new. */
export type Admission = 'clean' | 'counted' | 'trial';

/** Returns the ms to wait and the reason. 0 means that the request is admitted, as the third value says; after the pause one as a trial. */
const admitScript = `${readOpenUntil}
if openUntil == 0 then return {0, '', redis.call('EXISTS', KEYS[1]) == 1 and 'counted' or 'clean'} end
local reason = redis.call('HGET', KEYS[1], 'reason')
if now < openUntil then return {openUntil - now, reason} end
local trialUntil = tonumber(redis.call('HGET', KEYS[1], 'trialUntil') or '0')
if now < trialUntil then return {math.min(1000, trialUntil - now), reason} end
redis.call('HSET', KEYS[1], 'trialUntil', now + ARGV[1])
return {0, '', 'trial'}`;

const withdrawScript = `
redis.call('HDEL', KEYS[1], 'trialUntil')
return 0`;

const openScript = `${readOpenUntil}
if now >= openUntil then return {0, ''} end
return {openUntil - now, redis.call('HGET', KEYS[1], 'reason')}`;

/** A success closes the circuit, unless the circuit opened after that request was sent. */
const successScript = `${readOpenUntil}
if now >= openUntil then redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Notes that a caller waits for the exchange, and returns 1 if the circuit is open and a trial is due. A pause that began before is
 * cut, unless the exchange asked for it.
 */
const hurryScript = `${readOpenUntil}
if openUntil == 0 then return 0 end
redis.call('HSET', KEYS[1], 'hurryUntil', now + 60000)
local first = tonumber(ARGV[1])
if redis.call('HGET', KEYS[1], 'asked') ~= '1' and openUntil > now + first then
  openUntil = now + first
  redis.call('HSET', KEYS[1], 'openUntil', openUntil, 'pause', first)
end
return now >= openUntil and 1 or 0`;

/**
 * A pause that the exchange asked for is kept as it is; any other failure that opens the circuit doubles the pause, unless
 * a caller waits.
 */
const failureScript = `${readOpenUntil}
local reason, asked, limit, first, longest = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local failures = redis.call('HINCRBY', KEYS[1], 'failures', 1)
if asked > 0 then
  redis.call('HSET', KEYS[1], 'openUntil', math.max(openUntil, now + asked), 'reason', reason, 'asked', '1')
elseif now >= openUntil and (openUntil > 0 or failures >= limit) then
  local isHurried = now < tonumber(redis.call('HGET', KEYS[1], 'hurryUntil') or '0')
  local pause = math.min(isHurried and first or longest, 2 * tonumber(redis.call('HGET', KEYS[1], 'pause') or first / 2))
  redis.call('HSET', KEYS[1], 'openUntil', now + pause, 'pause', pause, 'reason', reason, 'asked', '0')
end
redis.call('HDEL', KEYS[1], 'trialUntil')
redis.call('PEXPIRE', KEYS[1], math.max(openUntil - now, asked, longest) + 3600000)
return 0`;

/**
 * A circuit breaker that all processes share through Redis: it stops requests to an exchange that is down or asked for a
 * pause. Closed: requests are admitted. Open: none is admitted until the pause ends. Then one is admitted as a trial: its
 * success closes the circuit, its failure opens it again.
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
    this.#limits = { ...defaultLimits, ...limits };
  }

  /**
   * Admits a request. Call `succeeded` (needless where it is `clean`) or `failed` when it ends, or `withdrawTrial` when a
   * trial ends without showing whether the exchange serves. Throws `exchange_unavailable` with `retryAfterMs` while the circuit
   * is open, and `redis_unavailable` when Redis does not answer.
   */
  async admit(): Promise<Admission> {
    const answer = await runScript(this.#redis, admitScript, this.#key, [this.#limits.trialMs]);
    this.#refuse(answer);
    return (answer as [number, string, Admission])[2];
  }

  /** Ends the trial without a result: the next request becomes the trial. */
  async withdrawTrial(): Promise<void> {
    await runScript(this.#redis, withdrawScript, this.#key, []);
  }

  /** Throws as `admit` does if the circuit opened after the request was admitted. */
  async check(): Promise<void> {
    this.#refuse(await runScript(this.#redis, openScript, this.#key, []));
  }

  /** For how long requests are paused, in ms, and why; null while they are admitted. */
  async pause(): Promise<{ leftMs: number; reason: string } | null> {
    const answer = await runScript(this.#redis, openScript, this.#key, []);
    const [leftMs, reason] = answer as [number, string];
    return leftMs > 0 ? { leftMs, reason } : null;
  }

  /** Lets an open circuit try again after its shortest pause during the next minute, and returns whether a trial is due. */
  async hurry(): Promise<boolean> {
    return (await runScript(this.#redis, hurryScript, this.#key, [this.#limits.pauseMs])) === 1;
  }

  /** Reports that the exchange answered. */
  async succeeded(): Promise<void> {
    await runScript(this.#redis, successScript, this.#key, []);
  }

  /** Reports that the exchange failed; `askedPauseMs` above 0: the pause that it asked for. */
  async failed(reason: string, askedPauseMs = 0): Promise<void> {
    const { failures, pauseMs, longestPauseMs } = this.#limits;
    const args = [reason, Math.ceil(askedPauseMs), failures, pauseMs, longestPauseMs];
    await runScript(this.#redis, failureScript, this.#key, args);
  }

  #refuse(answer: unknown): void {
    const [retryAfterMs, reason] = answer as [number, string];
    if (retryAfterMs <= 0) return;
    const seconds = Math.ceil(retryAfterMs / 1000);
    const message = `requests to ${this.#exchange} are paused for ${seconds} s: ${reason}`;
    throw new AppError('exchange_unavailable', message, { details: { retryAfterMs } });
  }
}
