import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { intervalMs } from '../../compute/model/interval.js';
import { pairName } from '../../compute/model/market-pair.js';
import { lastBackupAt } from '../../storage/backup/last-backup.js';
import { DeadLetters } from '../../storage/cluster/dead-letters.js';
import { listNodes, nodeRoles } from '../../storage/cluster/nodes.js';
import { allQueueNames } from '../../storage/cluster/queues.js';
import { ScheduleRuns } from '../../storage/cluster/schedule-runs.js';
import type { Storage } from '../../storage/index.js';
import type { Metrics, MetricSample } from '../../storage/process/metrics.js';
import { redisNow } from '../../storage/servers/redis-now.js';
import { schedules } from '../schedules/index.js';

interface ClusterSources {
  redis: Redis;
  storage: Pick<Storage, 'executions' | 'feeds' | 'mails' | 'series' | 'signals'>;
  market: string;
}

/**
 * Registers the metrics of the whole cluster at a market worker. Only the live market worker that started first reports them, so that
 * sums count nothing twice; when it ends, the next one does.
 */
export function measureCluster(metrics: Metrics, { redis, storage, market }: ClusterSources): void {
  const read = (
    name: Parameters<Metrics['read']>[0],
    samples: (nowMs: number) => Promise<MetricSample[]>,
  ): void => metrics.read(name, async () => ((await hasTurn(redis)) ? samples(await redisNow(redis)) : []));

  read('nodes', async () => {
    const alive = (await listNodes(redis)).filter(({ lost }) => !lost);
    return nodeRoles.map((role) => [alive.filter((node) => node.role === role).length, { role }]);
  });
  read('deadJobs', async () => {
    const counts = await new DeadLetters(redis).counts();
    return allQueueNames.map((queue) => [counts.get(queue) ?? 0, { queue }]);
  });
  read('scheduleAge', async (nowMs) => {
    const runs = new ScheduleRuns(redis);
    const found = await Promise.all(schedules.map(({ name }) => runs.find(name)));
    return found.flatMap((run) =>
      run === null ? [] : [[secondsBetween(Date.parse(run.startedAt), nowMs), { schedule: run.name }]],
    );
  });
  read('candleAge', (nowMs) => candleAge(storage, market, nowMs));
  read('dueExecutions', async (nowMs) => [[(await backlogs(storage, nowMs)).due]]);
  read('dueAge', async (nowMs) => {
    const { oldestMs } = await backlogs(storage, nowMs);
    return [[secondsBetween(Math.min(oldestMs, nowMs), nowMs)]];
  });
  read('failedSteps', async (nowMs) => [[(await backlogs(storage, nowMs)).failed]]);
  read('mailsWaiting', async () => [[await storage.mails.countWaiting()]]);
  read('backupAge', async (nowMs) => {
    const at = await lastBackupAt(redis);
    return at === null ? [] : [[secondsBetween(Date.parse(at), nowMs)]];
  });
}

const secondsBetween = (fromMs: number, toMs: number): number => Math.max(0, toMs - fromMs) / 1_000;

/** Whether this process is the live market worker that started first. */
async function hasTurn(redis: Redis): Promise<boolean> {
  const first = (await listNodes(redis)).find(({ role, lost }) => role === 'market' && !lost);
  return first?.host === hostname() && first.pid === process.pid;
}

/** The backlogs of executions and of deliveries together. */
async function backlogs({ executions, signals }: ClusterSources['storage'], nowMs: number) {
  const both = await Promise.all([executions.backlog(nowMs), signals.backlog(nowMs)]);
  return {
    due: both[0].due + both[1].due,
    failed: both[0].failed + both[1].failed,
    oldestMs: Math.min(...both.map(({ oldest }) => oldest?.getTime() ?? Infinity)),
  };
}

/** The median over the followed pairs. Imported candles have no age: their time is that of the last one. */
async function candleAge(
  { feeds, series }: ClusterSources['storage'],
  market: string,
  nowMs: number,
): Promise<MetricSample[]> {
  if (market === 'csv') return [];
  const [followed, stored] = await Promise.all([feeds.list(market), series.ofInterval(market, '1h')]);
  const names = new Set(followed.map(pairName));
  const ages = stored
    .filter((each) => names.size === 0 || names.has(pairName(each)))
    .map(({ last }) => secondsBetween(last + intervalMs('1h'), nowMs))
    .sort((one, other) => one - other);
  return ages.length === 0 ? [] : [[ages[Math.floor(ages.length / 2)]]];
}
