import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../storage/index.js';
import { listen } from '../storage/servers/listen.js';
import { announceNode } from '../storage/cluster/nodes.js';
import { runRole } from '../storage/process/role.js';
import { createGateway } from './app.js';
import { drain } from './drain.js';
import { openDeps } from './open-deps.js';

await runRole('gateway', async ({ settings, servers, log, metrics, tracing }, redis) => {
  const migrations = openStorage(servers.mongodbUrl, { timeoutMs: 10_000 });
  await migrations.migrate(redis);
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
      await drain(server, deps.queues);
      await node.stop();
      await close();
    },
  };
});
