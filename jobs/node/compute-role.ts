import { openStorage } from '../../storage/index.js';
import { ActivityRecorder } from '../../storage/cluster/activity-recorder.js';
import { tellLive } from '../../storage/live/live-events.js';
import { announceNode } from '../../storage/cluster/nodes.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { redisUrls, takenServers } from '../../storage/servers/redis-url.js';
import { closeInOrder } from '../../storage/process/close-in-order.js';
import type { RoleContext, RunningRole } from '../../storage/process/role.js';
import type { Settings } from '../../storage/process/settings.js';
import { CandleCache } from './candle-cache.js';
import { jobs } from '../definitions/index.js';
import { queues as queueTable } from '../../storage/cluster/queues.js';
import { computeTools, noThreads, type ThreadPools } from './node-tools.js';
import { measureCache, measurePools, tracePools, traceCandles } from './measure-node.js';
import { backgroundThread, openPool, type PoolOptions } from './pool.js';
import { JobWorker } from './job-worker.js';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { listenToSeries } from '../../storage/candles/series-directory.js';

/** How many series are read at a time: the candles of all pairs close at the same moment, and jobs read series, too. */
const concurrency = 4;

/**
 * Updates cached series when their writer announces new candles, so that the first request after a close need not wait for a
 * read. A series whose announcement or read fails is read when a job needs it. `subscriber` is a connection for this alone.
 */
function followSeries(cache: CandleCache, subscriber: Redis): { close(): void } {
  const limit = pLimit(concurrency);
  const waiting = new Set<string>();
  const update = async (id: string) => {
    waiting.delete(id);
    await cache.renew(id).catch(() => undefined);
  };
  const announcements = listenToSeries(subscriber, {
    changed(ids) {
      for (const id of ids) {
        if (!cache.has(id) || waiting.has(id)) continue;
        waiting.add(id);
        void limit(() => update(id));
      }
    },
  });
  return {
    close() {
      limit.clearQueue();
      announcements.close();
    },
  };
}

/** A database that does not answer within this time counts as unavailable. */
const storageTimeoutMs = 5_000;

/** Starts a compute node, which takes jobs from the queues and computes them in threads. */
export async function startCompute({
  settings,
  servers,
  log,
  metrics,
  tracing,
}: RoleContext): Promise<RunningRole> {
  const redis = openRedis(servers.redisUrl, patient, metrics);
  const limits = { timeoutMs: storageTimeoutMs, metrics, tracing };
  const storage = openStorage(servers.mongodbUrl, limits, { live: tellLive(redis) });
  try {
    await connected(redis);
    await storage.migrate(redis);
  } catch (error) {
    redis.disconnect();
    await storage.close();
    throw error;
  }
  const { QUEUES: queues } = settings;
  const urls = redisUrls(servers.redisUrl);
  const takes = takenServers(settings.REDIS_TAKES, urls.length);
  const opened = openPools(settings);
  const measured = metrics ? measurePools(opened, metrics) : opened;
  const pools = tracing ? tracePools(measured, tracing) : measured;
  const source = tracing ? traceCandles(storage.candles, tracing) : storage.candles;
  const candles = new CandleCache(source, settings.CANDLE_CACHE_MB * 2 ** 20);
  if (metrics) measureCache(candles, metrics);
  const following = followSeries(candles, openRedis(servers.redisUrl, patient));
  const tools = computeTools({ storage, candles, pools, log });
  const activity = new ActivityRecorder(redis);
  const resultBytes = settings.RESULT_CACHE_MB * 2 ** 20;
  const shared = { jobs, tools, resultBytes, metrics, tracing, queues, activity, cluster: redis };
  const connections = takes.map((place) =>
    place === 1 ? redis : openRedis(urls[place - 1], patient, metrics),
  );
  await Promise.all(connections.map(connected));
  const workers = connections.map((each) => new JobWorker({ ...shared, redis: each }));
  await Promise.all(workers.map((worker) => worker.ready()));
  const { interactive, background } = pools;
  const work = () => ({
    threads: { interactive: interactive.threads, background: background.threads },
    busy: { interactive: interactive.busy, background: background.busy },
    running: workers.reduce((sum, { running }) => sum + running, 0),
    jobs: workers.flatMap(({ reportedJobs }) => reportedJobs),
  });
  const node = announceNode(redis, 'compute', work, queues, takes);
  return {
    workers: workers.flatMap((worker) => worker.workers),
    close: () =>
      closeInOrder([
        () => following.close(),
        () => node.stop(),
        () => Promise.all(workers.map((worker) => worker.close())),
        () => activity.close(),
        () => Promise.all([interactive.close(), background.close()]),
        () => [redis, ...connections].forEach((each) => each.disconnect()),
        () => storage.close(),
      ]),
  };
}

/** The threads that the queues of the node need. */
function openPools({
  QUEUES: queues,
  THREADS: threads,
  THREAD_MEMORY_MB: threadMemoryMb,
}: Settings): ThreadPools {
  const needed = new Set(queues.map((name) => queueTable[name].threads));
  const open = (name: keyof ThreadPools, own: Pick<PoolOptions, 'filename'> = {}) =>
    needed.has(name) ? openPool({ threads, threadMemoryMb, ...own }) : noThreads;
  return { interactive: open('interactive'), background: open('background', { filename: backgroundThread }) };
}
