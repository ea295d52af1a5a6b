import type { Redis } from 'ioredis';

/** The latest run of a schedule. */
export interface ScheduleRun {
  name: string;
  jobId: string;
  /** When it was due, ISO 8601; null for a run started by hand. */
  dueAt: string | null;
  startedAt: string;
  /** null while it runs. */
  endedAt: string | null;
  outcome: 'running' | 'done' | 'failed' | 'interrupted';
  /** One sentence: what it did, or why it failed. */
  note: string;
  /** Host and process id of the worker. */
  node: string;
  /** 1 for the first attempt. */
  attempt: number;
}

const key = 'tidemark:schedules';

/** The latest run of each schedule, in Redis. */
export class ScheduleRuns {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async put(run: ScheduleRun): Promise<void> {
    await this.#redis.hset(key, run.name, JSON.stringify(run));
  }

  async find(name: string): Promise<ScheduleRun | null> {
    const text = await this.#redis.hget(key, name);
    return text === null ? null : (JSON.parse(text) as ScheduleRun);
  }

  /** Deletes the runs of all schedules except these and returns how many. */
  async keepOnly(names: readonly string[]): Promise<number> {
    const gone = (await this.#redis.hkeys(key)).filter((name) => !names.includes(name));
    return gone.length === 0 ? 0 : this.#redis.hdel(key, ...gone);
  }
}
