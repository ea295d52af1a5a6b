import { openStorage } from '../../storage/index.js';
import { announceNode } from '../../storage/cluster/nodes.js';
import { connected, failFast, openRedis, patient } from '../../storage/servers/redis.js';
import { RedisClock } from '../../storage/servers/redis-clock.js';
import type { PausableWorker } from '../../storage/servers/mongo-watch.js';
import { measureCluster } from '../cluster/measure-cluster.js';
import { closeInOrder } from '../../storage/process/close-in-order.js';
import type { RoleContext, RunningRole } from '../../storage/process/role.js';
import { announceSeries } from '../../storage/candles/series-directory.js';
import { followAccounts } from '../accounts/follow-accounts.js';
import { followDemo } from './follow-demo.js';
import { followCcxt, type MarketContext, type RunningMarket } from './follow-ccxt.js';
import { startKeyTrialWorker, type KeyTrialWorkerOptions } from '../accounts/key-trial-worker.js';
import { startMails } from '../mail/start-mails.js';
import { JobClient } from '../requests/job-client.js';
import { ScheduleWorker } from '../schedules/worker/schedule-worker.js';
import { schedules } from '../schedules/index.js';

/** Bulk writes of history take longer than the queries of a request. */
const storageTimeoutMs = 60_000;

/**
 * Starts a market worker: it follows the market and the accounts of users, tries API keys of exchanges, sends mails, and runs schedules.
 * Resolves when the worker takes jobs.
 */
export async function startMarket(context: RoleContext): Promise<RunningRole> {
  const { settings, servers, log, metrics, report } = context;
  const redis = openRedis(servers.redisUrl, failFast, metrics);
  const limits = { timeoutMs: storageTimeoutMs, metrics };
  const storage = openStorage(servers.mongodbUrl, limits, { series: announceSeries(redis) });
  const close = async () => {
    redis.disconnect();
    await storage.close();
  };
  try {
    await connected(redis);
    await storage.migrate(redis);
    const shared = { settings, storage, redis, log, report };
    const market = await follow(shared);
    // After the market: while the demo history is made, the process is too busy for anything else.
    const accounts = followAccounts(shared);
    const { exchanges } = accounts;
    const trials = await startKeyTrials(context, { exchanges, redis });
    const scheduling = await startSchedules(context, { ...shared, market });
    const clock = new RedisClock(redis);
    await clock.read();
    const mails = startMails({ ...shared, clock });
    const running = () => scheduling.running + trials.running;
    const work = () => ({ threads: null, busy: null, running: running() });
    const node = announceNode(redis, 'market', work);
    if (metrics) measureCluster(metrics, { redis, storage, market: settings.MARKET });
    return {
      workers: [...trials.workers, ...scheduling.workers],
      close: () =>
        closeInOrder([
          () => node.stop(),
          () => Promise.all([scheduling.close(), market.close(), trials.close(), mails.close()]),
          () => accounts.close(),
          () => clock.close(),
          close,
        ]),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A part of the worker that takes jobs; `running` is the number of jobs that it runs now. */
interface JobTaker {
  readonly running: number;
  readonly workers: readonly PausableWorker[];
  close(): Promise<void>;
}

/** Tries the API keys that users send to connect exchanges. */
async function startKeyTrials(
  { servers, settings, log, metrics, tracing }: RoleContext,
  tools: Pick<KeyTrialWorkerOptions, 'exchanges' | 'redis'>,
): Promise<JobTaker> {
  const queueRedis = openRedis(servers.redisUrl, patient, metrics);
  const resultBytes = settings.RESULT_CACHE_MB * 2 ** 20;
  const worker = await startKeyTrialWorker({ ...tools, queueRedis, resultBytes, log, metrics, tracing });
  return {
    workers: worker.workers,
    get running() {
      return worker.running;
    },
    async close() {
      await worker.close();
      queueRedis.disconnect();
    },
  };
}

/** Runs schedules; their heavy work is queued for the compute nodes. */
async function startSchedules(
  { servers, settings, metrics }: RoleContext,
  tools: Omit<ConstructorParameters<typeof ScheduleWorker>[0]['tools'], 'queues'>,
): Promise<JobTaker> {
  const queues = await JobClient.open(servers.redisUrl, { depthLimit: settings.QUEUE_DEPTH, metrics });
  const redis = openRedis(servers.redisUrl, patient, metrics);
  const worker = new ScheduleWorker({ redis, pulsed: tools.redis, schedules, tools: { ...tools, queues } });
  await worker.start();
  return {
    workers: worker.workers,
    get running() {
      return worker.running;
    },
    async close() {
      await worker.close();
      await queues.close();
      redis.disconnect();
    },
  };
}

function follow(context: MarketContext): Promise<RunningMarket> {
  if (context.settings.MARKET === 'csv') return showImported(context);
  return context.settings.MARKET === 'demo' ? followDemo(context) : followCcxt(context);
}

/** Imported candles need no following. */
async function showImported({ storage, report }: MarketContext): Promise<RunningMarket> {
  const imported = async () => {
    const pairs = await storage.series.ofInterval('csv', '1h');
    return pairs.length === 0
      ? 'no candles yet: npm run admin -- candles import'
      : `${pairs.length} pairs imported`;
  };
  report(`market csv: ${await imported()}`);
  return { check: imported, close: async () => undefined };
}
