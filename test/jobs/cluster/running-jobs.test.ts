import assert from 'node:assert/strict';
import Joi from 'joi';
import { Cluster } from '../../../jobs/cluster/cluster.js';
import { defineJob } from '../../../jobs/job.js';
import { announceNode } from '../../../storage/cluster/nodes.js';
import { connected, failFast, openRedis } from '../../../storage/servers/redis.js';
import { openJobRig, type JobRig } from '../../support/jobs/job-rig.js';
import { until } from '../../support/process/until.js';

/** Runs until it is told to end. */
const endless = defineJob<'endless', { n: number }, never>({
  name: 'endless',
  queue: 'analysis',
  timeoutMs: 30_000,
  payload: Joi.object({ n: Joi.number() }),
  run: ({ n }, _tools, { signal, progress }) =>
    new Promise<never>((_resolve, reject) => {
      progress('turning', n / 10);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    }),
});

describe('running jobs', function () {
  this.timeout(30_000);
  let rig: JobRig;
  before(async () => (rig = await openJobRig({ jobs: [endless] })));
  after(() => rig.close());

  it('are shown with their progress, and end when an operator cancels them', async () => {
    const [gateway] = rig.gateways;
    const [worker] = rig.workers;
    const redis = openRedis(rig.redisUrl, failFast);
    await connected(redis);
    const node = announceNode(redis, 'compute', () => ({
      ...{ threads: null, busy: null, running: worker.running },
      jobs: worker.reportedJobs,
    }));
    const cluster = new Cluster(redis, gateway);
    const [first, second] = [1, 2].map((n) => gateway.run(endless, { n }, { traceId: `trace-${n}` }));
    const ends = assert.rejects(second, { code: 'cancelled', message: '"endless" was cancelled' });
    const firstEnds = assert.rejects(first, { code: 'cancelled' });
    await until('two running jobs', async () => (await cluster.view()).jobs.length === 2);
    const { jobs, nodes } = await cluster.view();
    const told = jobs
      .map(({ name, traceId, phase, fraction }) => [name, traceId, phase, fraction])
      .sort((a, b) => String(a[1]).localeCompare(String(b[1])));
    assert.deepEqual(told, [
      ['endless', 'trace-1', 'turning', 0.1],
      ['endless', 'trace-2', 'turning', 0.2],
    ]);
    assert.ok(jobs.every(({ ms, node: place }) => ms >= 500 && place.endsWith(`:${process.pid}`)));
    assert.ok(!('jobs' in nodes[0]));

    const { id } = jobs.find(({ traceId }) => traceId === 'trace-2')!;
    assert.equal((await cluster.cancelJob(id)).traceId, 'trace-2');
    await ends;
    assert.equal(worker.running, 1);
    await assert.rejects(cluster.cancelJob('nothing 0'), {
      code: 'invalid_input',
      message: 'no job "nothing 0" runs: it may have ended',
    });

    await cluster.cancelJob(jobs.find(({ traceId }) => traceId === 'trace-1')!.id);
    await firstEnds;
    await until('no running job', async () => (await cluster.view()).jobs.length === 0);
    await node.stop();
    await cluster.close();
    redis.disconnect();
  });
});
