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

  /** Takes out the first ids of a slot. */
  async take(slot: PartnerSlot, count: number): Promise<string[]> {
    return [...new Set(await this.#redis.lpop(keyOf(slot), count))];
  }
}

const keyOf = ({ partnerId, slot }: PartnerSlot): string => `tidemark:due:${slot}:${partnerId}`;
