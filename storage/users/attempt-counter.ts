import type { Redis } from 'ioredis';
import { luaNow } from '../servers/redis-now.js';
import { runScript } from '../servers/redis.js';

/** How many failed attempts a key may have, and how long it is blocked after that. */
export interface AttemptRules {
  /** Failures within the window after which the key is blocked. */
  limit: number;
  windowMs: number;
  /** How long the failure that reaches the limit blocks the key; each further failure doubles it. */
  firstDelayMs: number;
  longestDelayMs: number;
}

/**
 * Whether an attempt may begin. `blocked`: the key is blocked for another `waitMs`. `busy`: if all attempts under way fail,
 * the limit is reached, so the caller has to wait until some of them end.
 */
export interface AttemptStart {
  outcome: 'begun' | 'blocked' | 'busy';
  waitMs: number;
  /** Failures within the window. */
  failures: number;
}

/** How an attempt ended: `failed` counts it, `released` does not, `succeeded` deletes all failures of the key. */
export type AttemptEnd = 'failed' | 'released' | 'succeeded';

/** Counts failed attempts by key. An attempt is registered before it is made, so that concurrent attempts count too. */
export interface AttemptCounter {
  begin(key: string, id: string): Promise<AttemptStart>;
  end(key: string, id: string, ending: AttemptEnd): Promise<void>;
}

/** An attempt that never ends, because its process died, counts as under way for this long. */
export const longestAttemptMs = 15_000;

/** The prefix of the Redis keys of attempts. */
export const attemptPrefix = 'tidemark:attempts:';

/** Reads the state of a key, by the clock of Redis: a gateway whose own clock is wrong must not end a block. Fields besides the three counters are attempts under way, with their latest end. */
const state = `${luaNow}
local id = ARGV[1]
local failures, windowEnd, blockedUntil, underWay = 0, 0, 0, 0
local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do
  local name, value = stored[i], tonumber(stored[i + 1])
  if name == 'failures' then failures = value
  elseif name == 'windowEnd' then windowEnd = value
  elseif name == 'blockedUntil' then blockedUntil = value
  elseif value <= now then redis.call('HDEL', KEYS[1], name)
  else underWay = underWay + 1 end
end
if windowEnd <= now then failures, blockedUntil = 0, 0 end
`;

const beginScript = `${state}
local limit, longest, keep = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if blockedUntil > now then return {'blocked', blockedUntil - now, failures} end
if underWay >= math.max(1, limit - failures) then return {'busy', 0, failures} end
redis.call('HSET', KEYS[1], id, now + longest)
redis.call('PEXPIRE', KEYS[1], keep)
return {'begun', 0, failures}`;

const failScript = `${state}
local limit, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local first, longest, keep = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
redis.call('HDEL', KEYS[1], id)
failures = failures + 1
if failures == 1 then windowEnd = now + window end
if failures >= limit then
  blockedUntil = now + math.min(longest, first * 2 ^ (failures - limit))
  windowEnd = blockedUntil + window
end
redis.call('HSET', KEYS[1], 'failures', failures, 'windowEnd', windowEnd, 'blockedUntil', blockedUntil)
redis.call('PEXPIRE', KEYS[1], keep)
return 0`;

const releaseScript = `redis.call('HDEL', KEYS[1], ARGV[1]) return 0`;
const forgetScript = `redis.call('DEL', KEYS[1]) return 0`;

/** Counts the attempts of all gateways in Redis. Throws `redis_unavailable`. */
export class SharedAttemptCounter implements AttemptCounter {
  readonly #redis: Redis;
  readonly #rules: AttemptRules;
  readonly #keepMs: number;

  constructor(redis: Redis, rules: AttemptRules) {
    this.#redis = redis;
    this.#rules = rules;
    this.#keepMs = rules.windowMs + rules.longestDelayMs + longestAttemptMs;
  }

  async begin(key: string, id: string): Promise<AttemptStart> {
    const args = [id, this.#rules.limit, longestAttemptMs, this.#keepMs];
    const found = (await runScript(this.#redis, beginScript, attemptPrefix + key, args)) as [
      AttemptStart['outcome'],
      number,
      number,
    ];
    const [outcome, waitMs, failures] = found;
    return { outcome, waitMs, failures };
  }

  async end(key: string, id: string, ending: AttemptEnd): Promise<void> {
    const { limit, windowMs, firstDelayMs, longestDelayMs } = this.#rules;
    const args = [id, limit, windowMs, firstDelayMs, longestDelayMs, this.#keepMs];
    const script = { failed: failScript, released: releaseScript, succeeded: forgetScript }[ending];
    await runScript(this.#redis, script, attemptPrefix + key, args);
  }
}
