import type { Redis } from 'ioredis';
import { groupBy } from '../../compute/model/group-by.js';
import type { PartnerSlot } from '../../storage/signals/stored-execution.js';

/** A row that is due, and the slot in which it is worked on. */
export interface DueRow extends PartnerSlot {
  id: string;
}

/** Rows of a slot that are kept; what is beyond is found in MongoDB. */
const mostRows = 20_000;
const keptSeconds = 3_600;

/**
 * The ids of rows that are due, by slot, in the order in which they are worked on. It spares MongoDB the question, which costs
 * the embedded one a walk over all rows that are due. The rows themselves say whether they are due: an id too many changes
 * nothing, and one that is lost with Redis is found by the next look into MongoDB.
 */
export class DueList {
  readonly #redis: Redis;

  /** `redis`: a connection that is ready. */
  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Adds rows in their order: behind those that wait, or before them. */
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

  /** Takes out the first ids of a slot. Until `done` they are given again: the worker that took them may have ended. */
  async take(slot: PartnerSlot, count: number): Promise<string[]> {
    const key = keyOf(slot);
    const taken = await this.#redis.eval(takeScript, 2, key, takenOf(key), count, keptSeconds);
    return [...new Set(taken as string[])];
  }

  /** What was taken of a slot is worked on. */
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
