import type { Redis } from 'ioredis';
import type { LeaseHolder, LeaseStore } from './leases.js';

/** Takes the lease if it is free or a holder of the same owner has it. ARGV: holder, owner, ms. */
const takeScript = `
local held = redis.call('GET', KEYS[1])
if held and (ARGV[2] == '' or string.match(held, '^(.*) ') ~= ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return 1`;

/** Extends the lease unless another holder has it; 0 ms releases it. ARGV: holder, ms. */
const keepScript = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1`;

/** Leases as Redis keys that expire by the clock of Redis. */
export class RedisLeaseStore implements LeaseStore {
  readonly #redis: Redis;
  readonly #prefix: string;

  /** The key of a lease is `prefix` and its name. */
  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  async take(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean> {
    const args = [textOf(holder), holder.owner ?? '', leaseMs];
    return (await this.#redis.eval(takeScript, 1, this.#prefix + name, ...args)) === 1;
  }

  renew(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean> {
    return this.#keep(name, holder, leaseMs);
  }

  async release(name: string, holder: LeaseHolder): Promise<void> {
    await this.#keep(name, holder, 0);
  }

  /** Nothing to do: Redis deletes expired keys by itself. */
  dropAbandoned(): Promise<number> {
    return Promise.resolve(0);
  }

  async #keep(name: string, holder: LeaseHolder, leaseMs: number): Promise<boolean> {
    return (await this.#redis.eval(keepScript, 1, this.#prefix + name, textOf(holder), leaseMs)) === 1;
  }
}

const textOf = ({ owner = '', id }: LeaseHolder): string => `${owner} ${id}`;
