/** A worker of the schedule `tick`, whose runs report `began` and never end. */
import { ScheduleWorker } from '../../../jobs/schedules/worker/schedule-worker.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { runRole } from '../../../storage/process/role.js';

await runRole('market', async ({ servers, log, report }) => {
  const redis = openRedis(servers.redisUrl, patient);
  await connected(redis);
  const tick = {
    name: 'tick',
    summary: 'never ends',
    pattern: '0 0 0 1 1 *',
    limitMs: 60_000,
    run: () => {
      report('began');
      return new Promise<string>(() => undefined);
    },
  };
  const worker = new ScheduleWorker({ redis, schedules: [tick], tools: { log } as never });
  await worker.start();
  return { close: () => worker.close() };
});
