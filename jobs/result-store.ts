import type { Redis } from 'ioredis';

/** What a node finds when it wants to compute an item: the result, or whether it is the one to compute it. */
export type Claim = { result: string } | 'mine' | 'other';

const hash = 'tidemark:results';
const until = 'tidemark:results:until';
const bytes = 'tidemark:results:bytes';
const claimKey = (id: string) => `tidemark:claim:${id}`;

/** A node that died lets go of what it was computing after this time. */
const claimMs = 5_000;

/** Drops what is over, and then what is over soonest, until all results fit into the limit. */
const makeRoom = `
local function drop(ids)
  for _, id in ipairs(ids) do
    redis.call('DECRBY', KEYS[3], redis.call('HSTRLEN', KEYS[1], id))
    redis.call('HDEL', KEYS[1], id)
    redis.call('ZREM', KEYS[2], id)
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

const scripts = {
  /** The results that are there and not over, nil for the others. */
  tidemarkRead: {
    numberOfKeys: 2,
    lua: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = {}
for n, id in ipairs(ARGV) do
  local keep = redis.call('ZSCORE', KEYS[2], id)
  found[n] = keep and tonumber(keep) > now and redis.call('HGET', KEYS[1], id) or false
end
return found`,
  },
  /** Stores a result, gives the claim back, and tells. ARGV: id, holder, result, ms to keep it, limit in bytes, channel, head. */
  tidemarkFinish: {
    numberOfKeys: 4,
    lua: `${makeRoom}
drop(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 200))
drop({ARGV[1]})
local size, limit = #ARGV[3], tonumber(ARGV[5])
if size <= limit then
  while tonumber(redis.call('GET', KEYS[3]) or 0) + size > limit do
    local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)
    if #oldest == 0 then redis.call('DEL', KEYS[3]) break end
    drop(oldest)
  end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  redis.call('ZADD', KEYS[2], now + ARGV[4], ARGV[1])
  redis.call('INCRBY', KEYS[3], size)
end
if redis.call('GET', KEYS[4]) == ARGV[2] then redis.call('DEL', KEYS[4]) end
redis.call('PUBLISH', ARGV[6], ARGV[7] .. ARGV[3])`,
  },
  /** Drops up to 200 results that are over and tells how many; forgets the count of bytes with the last of all. */
  tidemarkSweep: {
    numberOfKeys: 3,
    lua: `${makeRoom}
local over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 200)
drop(over)
if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[1], KEYS[3]) end
return #over`,
  },
  /** Gives claims back, or holds them for longer. ARGV: holder, ms ('0' gives back). */
  tidemarkHold: {
    numberOfKeys: 1,
    lua: `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
end`,
  },
} as const;

interface Commands {
  tidemarkRead(hash: string, until: string, ...ids: string[]): Promise<(string | null)[]>;
  tidemarkFinish(...keysAndArguments: (string | number)[]): Promise<unknown>;
  tidemarkSweep(hash: string, until: string, bytes: string): Promise<number>;
  tidemarkHold(key: string, holder: string, ms: number): Promise<unknown>;
}

/**
 * Results of jobs by the id of what was asked, in Redis, for every gateway and node: within a limit of bytes, until they
 * are over. And claims, so that what several ask at once is computed by one.
 */
export class ResultStore {
  readonly #redis: Redis;
  readonly #commands: Commands;
  readonly #limitBytes: number;

  constructor(redis: Redis, limitBytes: number) {
    for (const [name, script] of Object.entries(scripts)) redis.defineCommand(name, script);
    this.#redis = redis;
    this.#commands = redis as unknown as Commands;
    this.#limitBytes = limitBytes;
  }

  /** The stored results, null where there is none. */
  async read(ids: readonly string[]): Promise<(string | null)[]> {
    return this.#commands.tidemarkRead(hash, until, ...ids);
  }

  /** The result if there is one; else whether `holder` is now the one that computes it. */
  async claim(id: string, holder: string): Promise<Claim> {
    const [[result], taken] = await Promise.all([
      this.read([id]),
      this.#redis.set(claimKey(id), holder, 'PX', claimMs, 'NX'),
    ]);
    if (result === null) {
      // A claim is sent again when the connection broke before its answer: then it is there, and one's own.
      const mine = taken === 'OK' || (await this.#redis.get(claimKey(id))) === holder;
      return mine ? 'mine' : 'other';
    }
    if (taken === 'OK') await this.release(id, holder);
    return { result };
  }

  /** Drops the results that are over, which else go when new ones come, and tells how many. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let last = -1; last !== 0; swept += last)
      last = await this.#commands.tidemarkSweep(hash, until, bytes);
    return swept;
  }

  /** Keeps the claim of one that is still computing. */
  async renew(id: string, holder: string): Promise<void> {
    await this.#commands.tidemarkHold(claimKey(id), holder, claimMs);
  }

  /** Gives the claim back without a result: the next that asks computes. */
  async release(id: string, holder: string): Promise<void> {
    await this.#commands.tidemarkHold(claimKey(id), holder, 0);
  }

  /** Stores the result, gives the claim back, and tells who waits: `head` and the result behind it. */
  async finish(
    id: string,
    holder: string,
    result: string,
    keepMs: number,
    { channel, head }: { channel: string; head: string },
  ): Promise<void> {
    const keys = [hash, until, bytes, claimKey(id)];
    await this.#commands.tidemarkFinish(...keys, id, holder, result, keepMs, this.#limitBytes, channel, head);
  }
}
