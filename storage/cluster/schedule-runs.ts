import type { Redis } from 'ioredis';

/** The latest run of a schedule. */
export interface ScheduleRun {
  name: string;
  jobId: string;
  /** When it was due; null for one that somebody asked for. */
  dueAt: string | null;
  startedAt: string;
  /** null while it runs. */
  endedAt: string | null;
  outcome: 'running' | 'done' | 'failed' | 'interrupted';
  /** What it did, or why it failed, in a sentence. */
  note: string;
  /** Host and process that ran it, and for the how manieth time. */
  node: string;
  attempt: number;
}

const key = 'tidemark:schedules';

/** How the schedules ran last, in Redis. */
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

  /** Forgets the runs of every schedule but these, and tells how many. */
  async keepOnly(names: readonly string[]): Promise<number> {
    const gone = (await this.#redis.hkeys(key)).filter((name) => !names.includes(name));
    return gone.length === 0 ? 0 : this.#redis.hdel(key, ...gone);
  }
}
