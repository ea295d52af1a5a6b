import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../storage/index.js';
import { listen } from '../storage/servers/listen.js';
import { announceNode } from '../storage/cluster/nodes.js';
import { runRole } from '../storage/process/role.js';
import { createGateway } from './app.js';
import { openDeps } from './open-deps.js';

const drainMs = 20_000;

await runRole('gateway', async ({ settings, servers, log, metrics, tracing }) => {
  const migrations = openStorage(servers.mongodbUrl, { timeoutMs: 10_000 });
  await migrations.migrate();
  await migrations.close();
  const { redisUrl, mongodbUrl } = servers;
  const ending = new AbortController();
  const { signal } = ending;
  const options = { settings, redisUrl, mongodbUrl, log, metrics, tracing, ending: signal };
  const { deps, close } = await openDeps(options);
  const server = createGateway(deps);
  const url = await listen(server, { host: settings.HOST, port: settings.PORT, setting: 'PORT' });
  await servers.announce({ gatewayUrl: url });
  if (settings.AI_API_SECRETS === '')
    log.info('AI_API_SECRETS is empty: no signature is valid, /v3/ai answers only trusted agents');
  const work = () => ({ threads: null, busy: null, running: deps.queues.waiterCount });
  const node = announceNode(deps.redis, 'gateway', work);
  return {
    facts: { url },
    async close() {
      ending.abort();
      await pause(settings.LEAVE_MS);
      await stop(server);
      await node.stop();
      await close();
    },
  };
});

/** Stops accepting connections and waits up to 20 s for running requests to finish. */
async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A keep-alive connection becomes idle only after its last answer.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const rest = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(rest);
}
