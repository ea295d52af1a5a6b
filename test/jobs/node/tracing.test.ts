import assert from 'node:assert/strict';
import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { defineJob } from '../../../jobs/job.js';
import { openOtlpTracing } from '../../../storage/process/otlp-tracing.js';
import { openCollector, type Collector } from '../../support/servers/collector.js';
import { openJobRig, type JobRig } from '../../support/jobs/job-rig.js';
import { logLines } from '../../support/process/log-lines.js';
import { tellPool } from '../../support/jobs/misbehaving-pool.js';
import { until } from '../../support/process/until.js';

interface Payload {
  n: number;
}

const payload = Joi.object<Payload, true>({ n: Joi.number().required() });
const square = defineJob({
  name: 'square',
  queue: 'analysis',
  timeoutMs: 5_000,
  payload,
  run: async ({ n }: Payload) => n * n,
});
const failing = defineJob({
  ...square,
  name: 'failing',
  run: async (): Promise<number> => {
    throw new AppError('not_enough_history', 'too young');
  },
});

const breaking = defineJob({
  ...square,
  name: 'breaking',
  run: async (_payload, { pool }, { signal }): Promise<number> => {
    await tellPool(pool, { do: 'break' }, signal);
    return 0;
  },
});

describe('the log of a node', () => {
  it('has what broke in a thread under the id of the request, and nobody else hears of it', async () => {
    const { log, lines } = logLines();
    const rig = await openJobRig({ jobs: [breaking], log });
    try {
      await assert.rejects(rig.gateways[0].run(breaking, { n: 1 }, { traceId: 'my-request' }), {
        code: 'unexpected',
        message: 'unexpected error',
      });
      await until('the job to be logged', () => lines.some(({ msg }) => msg === 'job failed'));
      const { traceId, err } = lines.find(({ msg }) => msg === 'job failed')!;
      assert.equal(traceId, 'my-request');
      assert.match(
        (err as { stack: string }).stack,
        /TypeError: a secret of the inside\n.*misbehaving-worker/s,
      );
    } finally {
      await rig.close();
    }
  });
});

describe('traces of jobs', () => {
  let rig: JobRig | undefined;
  let collector: Collector;
  const { log } = logLines();
  beforeEach(async () => (collector = await openCollector()));
  afterEach(async () => {
    await rig?.close();
    rig = undefined;
    await collector.close();
  });

  const open = async () => {
    const tracing = openOtlpTracing({ role: 'test', url: `${collector.url}/v1/traces`, log });
    rig = await openJobRig({ jobs: [square, failing], tracing, log });
    const spans = async () => {
      await tracing.close();
      return collector.spans;
    };
    return { queues: rig.gateways[0], tracing, spans };
  };

  it('point from those who joined a question to the run that answered all', async () => {
    const { queues, tracing, spans } = await open();
    const requests = [1, 2, 3].map((n) => tracing.start(`request ${n}`, { parent: null }));
    await Promise.all(
      requests.map((request, n) =>
        request.run(() => queues.run(square, { n: 7 }, { traceId: `request-${n}` })),
      ),
    );
    for (const request of requests) request.end();
    const found = await spans();
    const runs = found.filter(({ name }) => name === 'run square');
    assert.equal(runs.length, 1);
    const asked = requests.map(({ context }) => {
      const [, traceId, spanId] = context.traceparent.split('-');
      const [question, ...more] = found.filter((span) => span.parentSpanId === spanId);
      assert.deepEqual([question.name, question.traceId, more], ['ask square', traceId, []]);
      return question;
    });
    assert.equal(runs[0].parentSpanId, asked[0].spanId);
    assert.deepEqual(
      asked.map(({ attributes, links }) => [attributes['tidemark.answered'], links]),
      [
        ['computed', []],
        ['joined', [runs[0].spanId]],
        ['joined', [runs[0].spanId]],
      ],
    );
  });

  it('keep the questions of one batch apart', async () => {
    const { queues, tracing, spans } = await open();
    const traces = Array.from({ length: 12 }, (_, n) => {
      const request = tracing.start(`request ${n}`, { parent: null });
      const done = request.run(() => queues.run(square, { n }, { traceId: String(n) }));
      return { traceId: request.context.traceparent.split('-')[1], done };
    });
    await Promise.all(traces.map(({ done }) => done));
    const runs = (await spans()).filter(({ name }) => name === 'run square');
    assert.equal(runs.length, 12);
    for (const { traceId, attributes } of runs)
      assert.equal(traceId, traces[Number(attributes['tidemark.request_id'])].traceId);
  });

  it('say what was found stored, and what failed', async () => {
    const { queues, spans } = await open();
    await queues.run(square, { n: 2 }, { traceId: 'first' });
    await queues.run(square, { n: 2 }, { traceId: 'second' });
    await assert.rejects(queues.run(failing, { n: 2 }, { traceId: 'third' }), { code: 'not_enough_history' });
    const asked = (await spans()).filter(({ name }) => name.startsWith('ask '));
    assert.deepEqual(
      asked.map(({ attributes, failed }) => [
        attributes['tidemark.request_id'],
        attributes['tidemark.answered'],
        attributes['error.type'],
        failed,
      ]),
      [
        ['first', 'computed', undefined, false],
        ['second', 'stored', undefined, false],
        ['third', 'failed', 'not_enough_history', true],
      ],
    );
  });
});
