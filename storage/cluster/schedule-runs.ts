import type { Redis } from 'ioredis';
import { leaseLost } from '../servers/lease.js';

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

/** Stores a run unless one with a higher fencing token is stored. ARGV: name, run, token. */
const putScript = `
local stored = redis.call('HGET', KEYS[1], ARGV[1])
local fence = stored and tonumber(cjson.decode(stored).fence)
if fence and fence > tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1`;

/** The latest run of each schedule, in Redis. */
export class ScheduleRuns {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Stores a run under the fencing token of its lease. Throws `lease_lost` if a run with a higher one is stored. */
  async put(run: ScheduleRun, token: number): Promise<void> {
    const text = JSON.stringify({ ...run, fence: token });
    if ((await this.#redis.eval(putScript, 1, key, run.name, text, token)) === 0) throw leaseLost(run.name);
  }

  async find(name: string): Promise<ScheduleRun | null> {
    const text = await this.#redis.hget(key, name);
    if (text === null) return null;
    const run = JSON.parse(text) as ScheduleRun & { fence?: number };
    delete run.fence;
    return run;
  }

  /** Deletes the runs of all schedules except these and returns how many. */
  async keepOnly(names: readonly string[]): Promise<number> {
    const gone = (await this.#redis.hkeys(key)).filter((name) => !names.includes(name));
    return gone.length === 0 ? 0 : this.#redis.hdel(key, ...gone);
  }
}
