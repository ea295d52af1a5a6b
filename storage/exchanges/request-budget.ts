import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { luaExactNow } from '../servers/redis-now.js';
import { runScript } from '../servers/redis.js';
import type { ExchangeKey } from './open-ccxt.js';
import { urgencyShares, type CcxtRequest, type RequestLimit, type Urgency } from './request-limit.js';

const urgencies = Object.keys(urgencyShares) as Urgency[];
const slices = 20;
/** How often a class asks again while a more urgent one is waiting. */
const behindMs = 250;
/** The classes whose units are counted apart, by number. */
const kinds = { [urgencies.indexOf('stream') + 1]: 's', [urgencies.indexOf('poll') + 1]: 'p' };

/**
 * A limit is a hash of the units used in each slice of time by the clock of Redis, streams (s) and polling (p) apart from others (o). Summed over
 * any window, they hold however the clocks of processes and of the exchange differ. w: until when a class is waiting.
 */
const usageScript = `${luaExactNow}
local function usage(key, slice, oldest, class)
  local used, current = {o = 0, p = 0, s = 0, isBehind = false}, math.floor(now / slice)
  local rows = redis.call('HGETALL', key)
  for i = 1, #rows, 2 do
    local kind, at, amount = string.sub(rows[i], 1, 1), tonumber(string.sub(rows[i], 2)), tonumber(rows[i + 1])
    if kind == 'w' then used.isBehind = used.isBehind or (at < class and amount > now)
    elseif current - at > ${slices} + 2 then redis.call('HDEL', key, rows[i])
    elseif current - at <= oldest then used[kind] = used[kind] + amount end
  end
  return used, current
end
local function count(key, kind, units, slice)
  redis.call('HINCRBYFLOAT', key, kind .. math.floor(now / slice), units)
  redis.call('PEXPIRE', key, math.ceil(slice * (${slices} + 3)))
end
`;

/** Returns 0 for a request that may be sent, else the ms after which to ask again, with a reason during a pause of the key. */
const takeScript = `${usageScript}
local left = redis.call('PTTL', KEYS[1])
if left > 0 then return {left, redis.call('GET', KEYS[1])} end
local class, share, limits, wait = tonumber(ARGV[1]), tonumber(ARGV[2]), cjson.decode(ARGV[3]), 0
local kind = ARGV[4]
for n, limit in ipairs(limits) do
  local key, tenth = KEYS[n + 1], 0.1 * limit.most
  local used, current = usage(key, limit.slice, ${slices}, class)
  local most = used.isBehind and 0 or share * limit.most
  local room = most - used.o - used.s - math.max(used.p, tenth)
  if kind == 's' then room = math.min(room, tenth - used.s) end
  if kind == 'p' then room = math.max(most - used.o, tenth) - used.p end
  if limit.units > math.max(room, 0) and (used.isBehind or used.o + used.p + used.s > 0) then
    local again = used.isBehind and ${behindMs} or limit.slice * (current + 1) - now
    redis.call('HSET', key, 'w' .. class, now + again + ${behindMs})
    wait = math.max(wait, again)
  end
end
for n, limit in ipairs(wait == 0 and limits or {}) do count(KEYS[n + 1], kind, limit.units, limit.slice) end
return {math.ceil(wait), ''}`;

/** Adds what the exchange has counted and this service has not. The exchange may have counted up to two slices earlier. */
const tellScript = `${usageScript}
local told, slice = tonumber(ARGV[1]), tonumber(ARGV[2])
local used = usage(KEYS[1], slice, ${slices} + 2, 0)
local known = used.o + used.p + used.s
if told > known then count(KEYS[1], 'o', told - known, slice) end
return 0`;

/** A longer pause that is running stays. */
const pauseScript = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 0`;

/**
 * What may be sent to an exchange, over all processes: its limits, and the pauses that it asked for one key. Nothing is reserved
 * for later: a request that finds no room asks again.
 */
export class RequestBudget {
  readonly #redis: Redis;
  readonly #exchange: string;
  readonly #limits: readonly RequestLimit[];
  readonly #partOf: (request: CcxtRequest) => string;

  /** `partOf`: the name of the part of the exchange that a request asks, which is paused apart; empty for the main one. */
  constructor(
    redis: Redis,
    exchange: string,
    limits: readonly RequestLimit[],
    partOf: (request: CcxtRequest) => string = () => '',
  ) {
    this.#redis = redis;
    this.#exchange = exchange;
    this.#limits = limits;
    this.#partOf = partOf;
  }

  /**
   * Takes what a request uses of its limits, and answers 0; or takes nothing, and answers after how many ms to ask again. Throws
   * `exchange_unavailable` during a pause of the key, and `redis_unavailable`.
   */
  async take(request: CcxtRequest, urgency: Urgency, key?: ExchangeKey): Promise<number> {
    const counted = this.#limitsOf(request, key);
    const limits = counted.map(({ limit: { units, unitsPerCost, most, windowMs } }) => ({
      units:
        units?.[request.name]?.(request.params) ??
        (unitsPerCost ? Number((request.cost * unitsPerCost).toFixed(3)) : 1),
      most,
      slice: windowMs / slices,
    }));
    const keys = [this.#pauseName(key, this.#partOf(request)), ...counted.map(({ name }) => name)];
    const number = urgencies.indexOf(urgency) + 1;
    const args = [number, urgencyShares[urgency], JSON.stringify(limits), kinds[number] ?? 'o'];
    const [waitMs, reason] = (await this.#run(takeScript, keys, args)) as [number, string];
    if (reason !== '') throw this.#paused(waitMs, reason);
    return waitMs;
  }

  /** Notes what an answer tells of the limits that its request counts for. */
  async tell(request: CcxtRequest, headers: Headers, key?: ExchangeKey): Promise<void> {
    const read = (header: string) => Number.parseInt(headers.get(header) ?? '', 10);
    for (const { limit, name } of this.#limitsOf(request, key)) {
      const { told, windowMs } = limit;
      if (!told) continue;
      const used = 'used' in told ? read(told.used) : read(told.most) - read(told.left);
      if (used > 0) await this.#run(tellScript, [name], [used, windowMs / slices]);
    }
  }

  /** Pauses a key for the part that a request has asked, unless a longer pause is running. Returns the error of its requests. */
  async pause(request: CcxtRequest, key: ExchangeKey, ms: number, reason: string): Promise<AppError> {
    const name = this.#pauseName(key, this.#partOf(request));
    await this.#run(pauseScript, [name], [reason, Math.max(1, Math.ceil(ms))]);
    return this.#paused(ms, reason);
  }

  /** Counts the account's limits of a request as used up for everything but what protects: the exchange has refused it as too many. */
  async useUp(request: CcxtRequest, key: ExchangeKey): Promise<void> {
    for (const { limit, name } of this.#limitsOf(request, key)) {
      if (limit.scope !== 'account') continue;
      const used = Math.floor((urgencyShares.enter - urgencyShares.poll) * limit.most) + 1;
      await this.#run(tellScript, [name], [used, limit.windowMs / slices]);
    }
  }

  #run(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return runScript(this.#redis, script, keys, args);
  }

  #limitsOf(request: CcxtRequest, key?: ExchangeKey): { limit: RequestLimit; name: string }[] {
    return this.#limits
      .filter(({ counts, scope }) => counts.test(request.name) && (scope === 'address' || key))
      .map((limit) => {
        const endpoint = limit.isByEndpoint ? ` ${request.name}` : '';
        const owner = limit.scope === 'account' ? `:${digestOf(key!)}` : '';
        return { limit, name: `tidemark:budget:${this.#exchange}:${limit.name}${endpoint}${owner}` };
      });
  }

  #pauseName = (key: ExchangeKey | undefined, part: string): string =>
    `tidemark:key-pause:${this.#exchange}${part && `-${part}`}:${key ? digestOf(key) : ''}`;

  #paused(leftMs: number, reason: string): AppError {
    const seconds = Math.ceil(leftMs / 1000);
    const message = `requests with this key to ${this.#exchange} are paused for ${seconds} s: ${reason}`;
    return new AppError('exchange_unavailable', message, { details: { retryAfterMs: leftMs } });
  }
}

/** With a digest of the key alone, a user without the secret could pause the key of another. */
const digestOf = ({ apiKey, secret }: ExchangeKey): string =>
  createHash('sha256')
    .update(JSON.stringify([apiKey, secret]))
    .digest('base64url');
