import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { pulseOf } from '../../storage/servers/redis-pulse.js';

/**
 * How a dead worker is detected. Its locks end after 4 s, and a check at most 2 s later moves its jobs back: they run elsewhere
 * within 6 s. A job that kills every worker reaches its time limit or its last try before `maxStalledCount`. A worker without
 * jobs asks Redis every 30 s; a new job ends that wait.
 */
export const takeover = {
  lockDuration: 4_000,
  lockRenewTime: 1_000,
  maxStalledCount: 20,
  drainDelay: 30,
  // `checkStalled` does it.
  skipStalledCheck: true,
  stalledInterval: 1_500,
};

/** Keys of a queue that the turn reads. A worker that waits is woken by the marker. */
const keyNames = ['active', 'wait', 'prioritized', 'marker'];

/**
 * Gives one of the processes with these queues the turn, and names the queues (from 0) with running jobs. A worker that died just
 * after it took the marker has started no job: so it is set again where jobs wait.
 */
const turnScript = `
if not redis.call('SET', KEYS[1], '', 'PX', ARGV[1], 'NX') then return {} end
local busy = {}
for n = 2, #KEYS, 4 do
  if redis.call('EXISTS', KEYS[n]) == 1 then busy[#busy + 1] = (n - 2) / 4 end
  if redis.call('EXISTS', KEYS[n + 1], KEYS[n + 2]) > 0 then redis.call('ZADD', KEYS[n + 3], 0, '0') end
end
return busy`;

/**
 * Moves jobs whose worker has died back to their queues, in one process at a time. It goes with the pulse of the connection, and
 * idle queues cost nothing more. The result ends it.
 */
export function checkStalled(redis: Redis, workers: readonly Worker[]): () => Promise<void> {
  const names = workers.map(({ name }) => name).join();
  return pulseOf(redis).add({
    script: turnScript,
    keys: [
      `tidemark:stalled-turn:${names}`,
      ...workers.flatMap((worker) => keyNames.map((name) => worker.toKey(name))),
    ],
    args: () => [takeover.stalledInterval],
    heard: (busy) => {
      for (const n of busy as number[]) workers[n].backend.moveStalledJobsToWait().catch(() => undefined);
    },
  });
}
