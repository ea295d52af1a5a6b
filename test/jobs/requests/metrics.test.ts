import assert from 'node:assert/strict';
import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { defineJob } from '../../../jobs/job.js';
import { Metrics } from '../../../storage/process/metrics.js';
import { openJobRig, type JobRig } from '../../support/jobs/job-rig.js';
import { Scrape } from '../../support/servers/scrape.js';
import { until } from '../../support/process/until.js';

const traceId = 'test';
const scrape = async ({ registry }: Metrics) => new Scrape(await registry.metrics());

interface Payload {
  n: number;
}

/** Waits until it is let go; fails where n is negative. */
function gated() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const job = defineJob({
    name: 'gated',
    queue: 'analysis',
    timeoutMs: 10_000,
    payload: Joi.object<Payload>({ n: Joi.number().required() }),
    async run({ n }): Promise<number> {
      if (n < 0) throw new AppError('not_enough_history', 'too few candles');
      await released;
      return n;
    },
  });
  return { job, release };
}

describe('metrics of jobs', () => {
  let rig: JobRig | undefined;
  afterEach(async () => {
    await rig?.close();
    rig = undefined;
  });

  it('count every question once, by how it ended', async () => {
    const { job, release } = gated();
    const [gatewayMetrics, workerMetrics] = [[new Metrics(), new Metrics()], [new Metrics()]];
    rig = await openJobRig({ jobs: [job], gateways: 2, workers: 1, gatewayMetrics, workerMetrics });
    const [gateway, other] = rig.gateways;

    const asked = Array.from({ length: 30 }, (_, n) => gateway.run(job, { n: n % 3 }, { traceId }));
    // Else the node may take the question of the other gateway first.
    const running = async () => (await scrape(workerMetrics[0])).sum('tidemark_job_items');
    await until('the questions of the first gateway to run', async () => (await running()) === 3);
    const elsewhere = other.run(job, { n: 0 }, { traceId });
    const leaving = new AbortController();
    const left = gateway.run(job, { n: 0 }, { traceId, signal: leaving.signal });
    const runElsewhere = async () =>
      (await scrape(workerMetrics[0])).sum('tidemark_job_run_seconds_count', { outcome: 'elsewhere' });
    await until('the question of the other gateway to wait', async () => (await runElsewhere()) === 1);
    const during = await scrape(gatewayMetrics[0]);
    assert.equal(during.sum('tidemark_job_requests_waiting'), 31);
    assert.equal(during.sum('tidemark_job_requests_total'), 0);
    assert.ok(during.sum('tidemark_queue_jobs', { queue: 'analysis', state: 'running' }) >= 1);
    assert.equal((await scrape(workerMetrics[0])).sum('tidemark_job_items'), 3);

    leaving.abort();
    await assert.rejects(left, { code: 'cancelled' });
    release();
    await Promise.all([...asked, elsewhere]);
    await gateway.run(job, { n: 1 }, { traceId });
    await assert.rejects(gateway.run(job, { n: -1 }, { traceId }), { code: 'not_enough_history' });

    const after = await scrape(gatewayMetrics[0]);
    const answered = (how: string) =>
      after.sum('tidemark_job_requests_total', { job: 'gated', answered: how });
    assert.deepEqual(
      ['computed', 'joined', 'stored', 'refused', 'failed', 'cancelled'].map(answered),
      [3, 27, 1, 0, 1, 1],
    );
    assert.equal(after.sum('tidemark_job_requests_total'), 33);
    assert.equal(after.sum('tidemark_job_requests_waiting'), 0);
    assert.equal(after.sum('tidemark_job_wait_seconds_count', { queue: 'analysis' }), 30);

    const node = await scrape(workerMetrics[0]);
    const runs = (outcome: string) => node.sum('tidemark_job_run_seconds_count', { job: 'gated', outcome });
    assert.deepEqual(['computed', 'elsewhere', 'not_enough_history'].map(runs), [3, 1, 1]);
    // The JSON of 0, 1 and 2.
    assert.equal(node.sum('tidemark_results_stored_bytes_total'), 3);
    assert.equal(node.sum('tidemark_job_items'), 0);
  });

  it('count what is refused', async () => {
    const { job } = gated();
    const gatewayMetrics = [new Metrics()];
    rig = await openJobRig({ jobs: [], workers: 0, depthLimit: 1, gatewayMetrics });
    const leaving = new AbortController();
    const first = rig.gateways[0].run(job, { n: 1 }, { traceId, signal: leaving.signal });
    await until('a job that waits', async () => (await rig!.counts('analysis')).wait === 1);
    await assert.rejects(
      until(
        'a refusal',
        async () => void (await rig!.gateways[0].run(job, { n: 2 }, { traceId, timeoutMs: 5_000 })),
      ),
      { code: 'queue_full' },
    );
    const found = await scrape(gatewayMetrics[0]);
    assert.equal(found.sum('tidemark_job_requests_total', { answered: 'refused' }), 1);
    assert.equal(found.sum('tidemark_queue_jobs', { queue: 'analysis', state: 'waiting' }), 1);
    leaving.abort();
    await assert.rejects(first, { code: 'cancelled' });
  });
});
