import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Schedule } from '../../../jobs/schedules/worker/schedule.js';
import { ScheduleWorker } from '../../../jobs/schedules/worker/schedule-worker.js';
import { openLog } from '../../../storage/process/log.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { ScheduleRuns, type ScheduleRun } from '../../../storage/cluster/schedule-runs.js';
import { freshRedisUrl } from '../servers/servers.js';

/** Workers of schedules over a Redis database of their own, and every run they had. */
export interface ScheduleRig {
  redisUrl: string;
  redis: Redis;
  runs: ScheduleRuns;
  /** The runs in the order of their starts, as they were written down when they began. */
  began: ScheduleRun[];
  /** How many run now, and the most that ever did. */
  now: { running: number; most: number };
  /** Starts a worker whose runs take so long. */
  addWorker: (work?: Partial<Pick<Schedule, 'name' | 'run' | 'limitMs'>>) => Promise<ScheduleWorker>;
  close: () => Promise<void>;
}

export const rigScheduleName = 'tick';

/** `takesMs` is how long a run takes unless a worker says otherwise. */
export async function openScheduleRig({
  pattern = '* * * * * *',
  takesMs = 0,
  retryMs = 20,
  restoreMs,
}: { pattern?: string; takesMs?: number; retryMs?: number; restoreMs?: number } = {}): Promise<ScheduleRig> {
  const redisUrl = await freshRedisUrl();
  const open = async () => {
    const redis = openRedis(redisUrl, patient);
    await connected(redis);
    connections.push(redis);
    return redis;
  };
  const connections: Redis[] = [];
  const workers: ScheduleWorker[] = [];
  const redis = await open();
  const runs = new ScheduleRuns(redis);
  const began: ScheduleRun[] = [];
  const now = { running: 0, most: 0 };
  const tick: Schedule = {
    name: rigScheduleName,
    summary: 'ticks',
    pattern,
    limitMs: 20_000,
    run: async (_tools, signal) => {
      await pause(takesMs, undefined, { signal });
      return 'ticked';
    },
  };
  const counted = (schedule: Schedule): Schedule => ({
    ...schedule,
    async run(tools, signal) {
      now.running++;
      now.most = Math.max(now.most, now.running);
      began.push((await runs.find(schedule.name))!);
      try {
        return await schedule.run(tools, signal);
      } finally {
        now.running--;
      }
    },
  });
  return {
    ...{ redisUrl, redis, runs, began, now },
    async addWorker(work = {}) {
      const schedules = [counted({ ...tick, ...work })];
      const tools = { log: openLog({ LOG_LEVEL: 'silent' }, 'test') } as never;
      const worker = new ScheduleWorker({
        ...{ redis: await open(), schedules, tools, retryMs },
        ...(restoreMs === undefined ? {} : { restoreMs }),
      });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      for (const connection of connections) connection.disconnect();
    },
  };
}
