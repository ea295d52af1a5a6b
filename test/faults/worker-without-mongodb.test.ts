import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openDeployment, type Deployment } from '../support/gateway/deployment.js';
import { RoleChild } from '../support/process/role-child.js';
import { until } from '../support/process/until.js';
import { MongoProxy } from '../support/servers/mongo-proxy.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';

const healthProgram = fileURLToPath(new URL('../../jobs/health.js', import.meta.url));

describe('a compute node whose MongoDB is away', () => {
  let deployment: Deployment;
  let proxy: MongoProxy;
  let node: RoleChild;

  before(async () => {
    const mongodbUrl = await freshMongodbUrl();
    deployment = await openDeployment({ redisUrl: await freshRedisUrl(), mongodbUrl });
    proxy = await MongoProxy.open(mongodbUrl, () => 'pass');
    const own = { MONGODB_URL: proxy.url, METRICS_PORT: '0' };
    node = await RoleChild.start('compute', { ...deployment.env, ...own });
  });
  after(async () => {
    await node.stop();
    await proxy.close();
    await deployment.close();
  });

  const at = (path: string) => fetch(new URL(path, node.facts.metricsUrl));
  /** The exit code and the words of the health check of a container. */
  const health = () =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const env = { PATH: process.env.PATH, METRICS_PORT: new URL(node.facts.metricsUrl).port };
      execFile(process.execPath, [healthProgram], { env }, (error, stdout) =>
        resolve({ code: Number(error?.code ?? 0), text: stdout.trim() }),
      );
    });

  it('is ready before', async () => {
    assert.deepEqual(await (await at('/healthz')).json(), { alive: true });
    assert.deepEqual(await health(), { code: 0, text: '{"ready":true,"missing":[]}' });
  });

  it('says so, and leaves all jobs to a node that reaches it', async () => {
    proxy.isCut = true;
    await until('a node that takes no jobs', () =>
      node.messages.some((text) => text.includes('takes no jobs')),
    );
    assert.equal((await at('/readyz')).status, 503);
    assert.deepEqual(await health(), { code: 1, text: '{"ready":false,"missing":["mongodb"]}' });
    // Each is another request: none is answered by the result of one before.
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => deployment.backtest({ feePercent: 0.1 + n / 1_000 })),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  it('takes jobs again once it is back', async () => {
    proxy.mend();
    await until('a node that takes jobs', () =>
      node.messages.some((text) => text.includes('takes jobs again')),
    );
    assert.equal((await at('/readyz')).status, 200);
    await deployment.nodes[0].stop();
    assert.equal((await deployment.backtest({ feePercent: 0.2 })).status, 200);
  });
});
