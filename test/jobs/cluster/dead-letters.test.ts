import assert from 'node:assert/strict';
import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { Cluster } from '../../../jobs/cluster/cluster.js';
import type { AnyJob } from '../../../jobs/definitions/index.js';
import { defineJob } from '../../../jobs/job.js';
import type { DeadLetter } from '../../../storage/cluster/dead-letters.js';
import { announceNode } from '../../../storage/cluster/nodes.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { openJobRig, type JobRig } from '../../support/jobs/job-rig.js';
import { tellPool } from '../../support/jobs/misbehaving-pool.js';
import { until } from '../../support/process/until.js';

interface Payload {
  how: 'exit' | 'throw' | 'refuse' | 'late' | 'away' | 'code';
}

/** What is wrong with the service until somebody mends it. */
const broken = { yes: true };

const job = defineJob({
  name: 'breaking',
  queue: 'scan',
  timeoutMs: 5_000,
  keepMs: () => 1,
  payload: Joi.object<Payload>({ how: Joi.string().required() }),
  async run({ how }, { pool }, { signal }): Promise<string> {
    if (!broken.yes) return 'mended';
    if (how === 'late') throw new AppError('time_limit', 'too late');
    if (how === 'away') throw new AppError('mongodb_unavailable', 'away');
    if (how === 'code') throw new TypeError('mongodb://ada:geheim@host');
    const misdeed = how === 'exit' ? { do: how, code: 1 } : { do: how };
    return (await tellPool(pool, misdeed, signal)).output as string;
  },
});

describe('jobs that fail', function () {
  this.timeout(60_000);
  let rig: JobRig;
  let cluster: Cluster;
  const redis = () => openRedis(rig.redisUrl, patient);
  let connection: ReturnType<typeof redis>;
  beforeEach(async () => {
    broken.yes = true;
    rig = await openJobRig({ jobs: [job], threads: 1 });
    connection = redis();
    await connected(connection);
    const jobs: readonly AnyJob[] = [job];
    cluster = new Cluster(connection, rig.gateways[0], { jobs, schedules: [] });
  });
  afterEach(async () => {
    await cluster.close();
    connection.disconnect();
    await rig.close();
  });

  const fail = (how: Payload['how'], traceId = 'trace 1') =>
    assert.rejects(rig.gateways[0].run(job, { how }, { traceId }), AppError);
  const letters = (count: number): Promise<DeadLetter[]> =>
    until('the letters', async () => {
      const found = await cluster.deadLetters();
      return found.length === count && found;
    });

  it('by a crash are kept, with the tries they were given', async () => {
    await fail('exit');
    const [letter] = await letters(1);
    const { id, at, node, error, ...rest } = letter;
    assert.deepEqual(rest, {
      queue: 'scan',
      name: 'breaking',
      payload: { how: 'exit' },
      complete: true,
      traceId: 'trace 1',
      attempts: 2,
      times: 1,
    });
    assert.deepEqual(
      [error.code, error.message],
      ['thread_failed', 'the thread that ran "core-line" failed'],
    );
    assert.match(error.stack!, /AppError.*\n[\s\S]*caused by: /);
    assert.ok(/^[0-9a-f]{12}$/.test(id) && Date.parse(at) > 0 && node.endsWith(`:${process.pid}`));
  });

  it('by a fault of the code are kept without secrets', async () => {
    await fail('code');
    const [{ error }] = await letters(1);
    assert.equal(error.message, 'mongodb://[redacted]@host');
    assert.ok(!error.stack!.includes('geheim'));
  });

  it('in the same way again are kept once and counted', async () => {
    await fail('throw');
    await letters(1);
    await fail('throw', 'trace 2');
    const [letter] = await until('the second', async () => {
      const found = await cluster.deadLetters('scan');
      return found[0].times === 2 && found;
    });
    assert.equal(letter.traceId, 'trace 2');
  });

  it('by what was asked, for want of time or of a server are not kept', async () => {
    for (const how of ['refuse', 'late', 'away'] as const) await fail(how);
    await assert.rejects(rig.gateways[0].run(job, {} as Payload, { traceId: 'x' }), {
      code: 'invalid_input',
    });
    await fail('exit');
    assert.equal((await letters(1))[0].traceId, 'trace 1');
  });

  it('can be run again, and are thrown away when that succeeds', async () => {
    await fail('throw');
    const [{ id }] = await letters(1);
    await assert.rejects(cluster.retry(id, 'again'), { code: 'no_worker' });
    const node = announceNode(connection, 'compute', () => ({ threads: null, busy: null, running: 0 }));
    await until('the node', async () => (await cluster.nodes()).length === 1);
    await assert.rejects(cluster.retry(id, 'again'), { code: 'thread_failed' });
    await until('the count', async () => (await cluster.deadLetters())[0].times === 2);
    broken.yes = false;
    assert.equal((await cluster.retry(id, 'again')).id, id);
    assert.deepEqual(await cluster.deadLetters(), []);
    await assert.rejects(cluster.retry(id, 'again'), { code: 'invalid_input', details: { field: 'id' } });
    await node.stop();
  });

  it('can be thrown away, and show in the view of their queue until then', async () => {
    await fail('throw');
    await fail('exit');
    const [{ id }] = await letters(2);
    const failed = async () =>
      (await cluster.view()).queues
        .filter((queue) => queue.failed > 0)
        .map(({ name, failed }) => [name, failed]);
    assert.deepEqual(await failed(), [['scan', 2]]);
    assert.equal(await cluster.drop(id), 1);
    assert.deepEqual(await failed(), [['scan', 1]]);
    assert.equal(await cluster.drop('all'), 1);
    assert.deepEqual(await failed(), []);
    await assert.rejects(cluster.drop(id), { code: 'invalid_input' });
    await assert.rejects(cluster.deadLetters('nope'), { code: 'invalid_input', details: { field: 'queue' } });
  });
});
