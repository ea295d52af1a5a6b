import type { Redis } from 'ioredis';
import { luaNow } from './redis-now.js';

/**
 * Takes the lease if it is free or a holder of the same owner has it. The token is the time of Redis in ms, or one more than
 * the last: it grows even when Redis has lost its data or its clock was set back. KEYS: lease, tokens of all leases. ARGV:
 * holder, owner, ms, name.
 */
const takeScript = `${luaNow}
local held = redis.call('GET', KEYS[1])
if held and (ARGV[2] == '' or string.match(held, '^(.*) ') ~= ARGV[2]) then return false end
local last, state = string.match(redis.call('HGET', KEYS[2], ARGV[4]) or '0 free', '^(%d+) (%a+)$')
local token = string.format('%.0f', math.max(tonumber(last) + 1, now))
redis.call('HSET', KEYS[2], ARGV[4], token .. ' held')
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return {token, state}`;

/** Extends the lease of its holder. KEYS: lease. ARGV: holder, ms. */
const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

/** Frees the lease of its holder. KEYS: lease, tokens of all leases. ARGV: holder, name. */
const releaseScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return end
redis.call('DEL', KEYS[1])
local token = string.match(redis.call('HGET', KEYS[2], ARGV[2]) or '', '^%d+')
if token then redis.call('HSET', KEYS[2], ARGV[2], token .. ' free') end`;

/** Leases as Redis keys that expire by the clock of Redis. */
export class RedisLeaseStore implements LeaseStore {
  readonly #redis: Redis;
  readonly #prefix: string;

  /** The key of a lease is `prefix` and its name. */
  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  async take(name: string, holder: LeaseHolder, leaseMs: number): Promise<TakenLease | null> {
    const args = [textOf(holder), holder.owner ?? '', leaseMs, name];
    const taken = await this.#redis.eval(takeScript, 2, this.#prefix + name, this.#tokens, ...args);
    if (taken === null) return null;
    const [token, state] = taken as [string, string];
    return { token: Number(token), tookOver: state === 'held' };
  }

  async renew(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean> {
    return (await this.#redis.eval(renewScript, 1, this.#prefix + name, textOf(holder), leaseMs)) === 1;
  }

  async release(name: string, holder: LeaseHolder): Promise<void> {
    await this.#redis.eval(releaseScript, 2, this.#prefix + name, this.#tokens, textOf(holder), name);
  }

  /** Nothing to do: Redis deletes expired keys by itself. */
  dropAbandoned(): Promise<number> {
    return Promise.resolve(0);
  }

  get #tokens(): string {
    return `${this.#prefix}:tokens`;
  }
}

const textOf = ({ owner = '', id }: LeaseHolder): string => `${owner} ${id}`;

/** One taking of a lease. `id` is unique; `owner` is named where a later holder of the same owner may take the lease over. */
export interface LeaseHolder {
  id: string;
  owner?: string | undefined;
}

/** What a store says of a lease that was taken; see `HeldLease`. */
export interface TakenLease {
  token: number;
  tookOver: boolean;
}

/** Where leases are kept. An expired lease counts as free, by the clock of the server that keeps it. */
export interface LeaseStore {
  /** Takes the lease for `leaseMs`; null while a holder of another owner has it. */
  take(name: string, holder: LeaseHolder, leaseMs: number): Promise<TakenLease | null>;
  /** Extends the lease to `leaseMs` from now; false when another holder has taken it since, or it is gone. */
  renew(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean>;
  /** Frees the lease; does nothing when the holder has lost it. */
  release(name: string, holder: LeaseHolder): Promise<void>;
  /** Deletes leases that expired before that time and returns how many. */
  dropAbandoned(before: Date): Promise<number>;
}
