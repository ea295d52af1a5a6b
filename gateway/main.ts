import type { Server } from 'node:http';
import { JobQueues } from '../jobs/queue.js';
import { openStorage } from '../storage/index.js';
import { listen } from '../storage/listen.js';
import { announceNode } from '../storage/nodes.js';
import { connected, failFast, openRedis, patient } from '../storage/redis.js';
import { runRole } from '../storage/role.js';
import { SeriesDirectory } from '../storage/series-directory.js';
import { createGateway } from './app.js';

/** How long a part may keep a request waiting before it counts as away. */
const storageTimeoutMs = 900;
const drainMs = 20_000;

await runRole('gateway', async ({ settings, servers, log, metrics }) => {
  const storage = openStorage(servers.mongodbUrl, { timeoutMs: storageTimeoutMs, metrics });
  const redis = openRedis(servers.redisUrl, failFast, metrics);
  const migrations = openStorage(servers.mongodbUrl, { timeoutMs: 10_000 });
  await migrations.migrate();
  await migrations.close();
  await connected(redis);
  const queues = await JobQueues.open(servers.redisUrl, { depthLimit: settings.QUEUE_DEPTH, metrics });

  const series = new SeriesDirectory(storage.series, openRedis(servers.redisUrl, patient), redis);
  const server = createGateway({ settings, storage, series, queues, redis, log, metrics });
  const url = await listen(server, { host: settings.HOST, port: settings.PORT, setting: 'PORT' });
  await servers.announce({ gatewayUrl: url });
  const node = announceNode(redis, 'gateway', () => ({ threads: null, busy: null, running: queues.callers }));
  return {
    facts: { url },
    async close() {
      await node.stop();
      await stop(server);
      await queues.close();
      series.close();
      redis.disconnect();
      await storage.close();
    },
  };
});

/** Takes no more requests, and lets those under way finish for a while. */
async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that is kept alive turns idle when its last answer is out.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const rest = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(rest);
}
