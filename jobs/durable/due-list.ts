import type { Redis } from 'ioredis';
import { groupBy } from '../../compute/model/group-by.js';
import type { PartnerSlot } from '../../storage/signals/stored-execution.js';

/** A row that is due, and the slot in which it is worked on. */
export interface DueRow extends PartnerSlot {
  id: string;
}

/** How many rows of a slot are kept at most. The sweeper finds the others in MongoDB. */
const mostRows = 20_000;
const keptSeconds = 3_600;

/**
 * The ids of due rows in Redis, by slot, in the order in which they are worked on. The list saves a query for which the
 * embedded MongoDB reads all due rows. The rows in MongoDB decide whether they are due, so a surplus id changes nothing, and
 * the next query finds an id that was lost with Redis.
 */
export class DueList {
  readonly #redis: Redis;

  /** `redis`: a connection that is ready. */
  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Adds rows in the given order, behind or before the rows that wait. */
  async add(rows: readonly DueRow[], where: 'first' | 'last' = 'last'): Promise<void> {
    if (rows.length === 0) return;
    const adding = this.#redis.pipeline();
    for (const group of groupBy(rows, keyOf).values()) {
      const key = keyOf(group[0]);
      const ids = group.map(({ id }) => id);
      if (where === 'first') adding.lpush(key, ...ids.reverse());
      else adding.rpush(key, ...ids);
      adding.ltrim(key, 0, mostRows - 1).expire(key, keptSeconds);
    }
    for (const [error] of (await adding.exec()) ?? []) if (error) throw error;
  }

  /** Takes the first ids of a slot. Until `done` is called, later calls return the same ids: the worker may have died. */
  async take(slot: PartnerSlot, count: number): Promise<string[]> {
    const key = keyOf(slot);
    const taken = await this.#redis.eval(takeScript, 2, key, takenOf(key), count, keptSeconds);
    return [...new Set(taken as string[])];
  }

  /** Forgets the ids that were taken of a slot: the work on them has ended. */
  async done(slot: PartnerSlot): Promise<void> {
    await this.#redis.del(takenOf(keyOf(slot)));
  }
}

const takeScript = `
  local taken = redis.call('lrange', KEYS[2], 0, -1)
  if #taken > 0 then return taken end
  for _ = 1, ARGV[1] do
    local id = redis.call('lpop', KEYS[1])
    if not id then break end
    redis.call('rpush', KEYS[2], id)
    taken[#taken + 1] = id
  end
  redis.call('expire', KEYS[2], ARGV[2])
  return taken`;

const takenOf = (key: string): string => `${key}:taken`;

const keyOf = ({ partnerId, slot }: PartnerSlot): string => `tidemark:due:${slot}:${partnerId}`;
