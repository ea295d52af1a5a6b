import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { defineJob, type Job, type JobRun } from '../../../jobs/job.js';
import { itemId, type JobProgress } from '../../../jobs/requests/wire.js';
import { patient, openRedis } from '../../../storage/servers/redis.js';
import { openJobRig, type JobRig, type JobRigOptions } from '../../support/jobs/job-rig.js';
import { until } from '../../support/process/until.js';

const traceId = 'test';

interface Payload {
  n: number;
}

/** A job that runs until it is let go, counts its runs, and knows which of them were ended. */
function counted(changes: Partial<Job<string, Payload, unknown>> = {}) {
  const runs: number[] = [];
  const ended: number[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const job = defineJob({
    name: 'counted',
    queue: 'analysis',
    timeoutMs: 10_000,
    payload: Joi.object<Payload>({ n: Joi.number().required() }),
    async run({ n }, _tools, { signal }): Promise<unknown> {
      runs.push(n);
      const run = runs.length;
      const end = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => {
          ended.push(n);
          reject(signal.reason as Error);
        }),
      );
      await Promise.race([released, end]);
      return { n, run };
    },
    ...changes,
  });
  return { job, runs, ended, release };
}

describe('equal questions', () => {
  let rig: JobRig | undefined;
  afterEach(async () => {
    await rig?.close();
    rig = undefined;
  });
  const open = async (options: JobRigOptions) => (rig = await openJobRig(options));

  it('are one computation, however many ask of however many gateways and nodes', async () => {
    const { job, runs, release } = counted();
    const { gateways } = await open({ jobs: [job], gateways: 3, workers: 2 });
    const asked = Array.from({ length: 300 }, (_, n) =>
      gateways[n % 3].run(job, { n: n % 5 }, { traceId: String(n) }),
    );
    await until('all five to run', () => new Set(runs).size === 5);
    release();
    const answers = await Promise.all(asked);
    answers.forEach(({ result }, n) => assert.equal((result as Payload).n, n % 5));
    assert.equal(runs.length, 5);
  });

  it('get the result that is there, later and at other gateways', async () => {
    const { job, runs, release } = counted();
    const { gateways } = await open({ jobs: [job], gateways: 2 });
    release();
    const first = await gateways[0].run(job, { n: 1 }, { traceId });
    const later = [
      await gateways[0].run(job, { n: 1 }, { traceId }),
      await gateways[1].run(job, { n: 1 }, { traceId }),
    ];
    for (const { result } of later) assert.deepEqual(result, first.result);
    assert.deepEqual(runs, [1]);
    await gateways[1].run(job, { n: 2 }, { traceId });
    assert.deepEqual(runs, [1, 2]);
  });

  it('are answered by the gateway that has given the answer before, though Redis has it no more', async () => {
    const { job, runs, release } = counted();
    const { gateways, redisUrl } = await open({ jobs: [job] });
    release();
    const { result } = await gateways[0].run(job, { n: 1 }, { traceId });
    const redis = openRedis(redisUrl, patient);
    await redis.del('tidemark:results', 'tidemark:results:until', 'tidemark:results:bytes');
    redis.disconnect();
    const again = await gateways[0].run(job, { n: 1 }, { traceId });
    assert.deepEqual([again.result, runs], [result, [1]]);
    assert.notEqual(again.result, result);
  });

  it('are asked anew once a result is over', async () => {
    const { job, runs, release } = counted({ keepMs: () => 300 });
    const { gateways } = await open({ jobs: [job] });
    release();
    await gateways[0].run(job, { n: 1 }, { traceId });
    await gateways[0].run(job, { n: 1 }, { traceId });
    assert.equal(runs.length, 1);
    await until('a second run', async () => {
      await gateways[0].run(job, { n: 1 }, { traceId });
      return runs.length === 2;
    });
  });

  it('are computed anew after a failure', async () => {
    let runs = 0;
    const { job } = counted({
      run: async () => {
        if (++runs === 1) throw new AppError('not_enough_history', 'too short');
        return { runs };
      },
    });
    const { gateways } = await open({ jobs: [job] });
    const both = [1, 2].map(() =>
      assert.rejects(gateways[0].run(job, { n: 1 }, { traceId }), { message: 'too short' }),
    );
    await Promise.all(both);
    assert.equal(runs, 1);
    assert.deepEqual((await gateways[0].run(job, { n: 1 }, { traceId })).result, { runs: 2 });
  });

  it('run on while anybody waits, and end when the last one leaves', async () => {
    const { job, ended, runs } = counted();
    const { gateways } = await open({ jobs: [job] });
    const callers = [1, 2, 3].map(() => new AbortController());
    const asked = callers.map(({ signal }) =>
      assert.rejects(gateways[0].run(job, { n: 1 }, { traceId, signal }), { code: 'cancelled' }),
    );
    await until('the run', () => runs.length === 1);
    callers[0].abort();
    callers[1].abort();
    await Promise.all([asked[0], asked[1]]);
    assert.deepEqual(ended, []);
    callers[2].abort();
    await asked[2];
    await until('the end', () => ended.length === 1);
  });

  it('are taken over at another gateway when the one that computes is left', async () => {
    const { job, runs, ended, release } = counted();
    const { gateways } = await open({ jobs: [job], gateways: 2, workers: 2 });
    const leaving = new AbortController();
    const left = assert.rejects(gateways[0].run(job, { n: 1 }, { traceId, signal: leaving.signal }));
    await until('the first to run', () => runs.length === 1);
    const staying = gateways[1].run(job, { n: 1 }, { traceId });
    leaving.abort();
    await left;
    await until('the second to run', () => runs.length === 2);
    assert.deepEqual(ended, [1]);
    release();
    assert.deepEqual((await staying).result, { n: 1, run: 2 });
  });

  it('are told once to each gateway, however often it asked and left while another computed them', async () => {
    const { job, runs, release } = counted();
    const { gateways, redisUrl } = await open({ jobs: [job], gateways: 2, workers: 2 });
    const first = gateways[0].run(job, { n: 1 }, { traceId });
    await until('the first to run', () => runs.length === 1);
    const redis = openRedis(redisUrl, patient);
    const places = () => redis.hvals(`tidemark:waiting:${itemId(job.name, { n: 1 })}`);
    let place: string | undefined;
    /** Asks, and resolves when a node has found that another computes it. */
    const ask = async (signal: AbortSignal) => {
      const asked = gateways[1].run(job, { n: 1 }, { traceId, signal });
      asked.catch(() => undefined);
      const found = await until('the place', async () => {
        const all = await places();
        return !all.includes(place!) && all.length > 0 && all;
      });
      assert.equal(found.length, 1);
      [place] = found;
      return { asked };
    };
    try {
      for (let n = 0; n < 3; n++) {
        const leaving = new AbortController();
        const { asked } = await ask(leaving.signal);
        leaving.abort();
        await assert.rejects(asked, { code: 'cancelled' });
      }
      const { asked } = await ask(new AbortController().signal);
      release();
      for (const { result } of await Promise.all([first, asked])) assert.deepEqual(result, { n: 1, run: 1 });
      assert.equal(await redis.exists(`tidemark:waiting:${itemId(job.name, { n: 1 })}`), 0);
    } finally {
      redis.disconnect();
    }
  });

  it('that another node computes take no place on the node that took them', async () => {
    const { job, runs, release } = counted({ queue: 'backtest' });
    const other = { ...counted({ queue: 'backtest', run: async () => 'done' }).job, name: 'other' };
    const { gateways, addWorker, counts } = await open({ jobs: [job, other], gateways: 2, workers: 0 });
    await addWorker({ threads: 1 });
    const first = gateways[0].run(job, { n: 1 }, { traceId });
    await until('the first to run', () => runs.length === 1);
    await addWorker({ threads: 1 });
    const second = gateways[1].run(job, { n: 1 }, { traceId });
    await until('the second to be taken', async () => {
      const { wait, active } = await counts('backtest');
      return wait === 0 && active === 1;
    });
    assert.equal((await gateways[1].run(other, { n: 1 }, { traceId })).result, 'done');
    release();
    for (const { result } of await Promise.all([first, second])) assert.deepEqual(result, { n: 1, run: 1 });
  });

  it('whose node died hold up nothing, and are computed once its claim is over', async () => {
    const { job, runs, release } = counted({ queue: 'backtest' });
    const other = { ...counted({ queue: 'backtest', run: async () => 'done' }).job, name: 'other' };
    const { gateways, redisUrl } = await open({ jobs: [job, other], threads: 1 });
    const redis = openRedis(redisUrl, patient);
    const claim = `tidemark:claim:${itemId(job.name, { n: 1 })}`;
    try {
      await redis.set(claim, 'a node that died');
      release();
      const asked = gateways[0].run(job, { n: 1 }, { traceId });
      assert.equal((await gateways[0].run(other, { n: 1 }, { traceId })).result, 'done');
      assert.deepEqual(runs, []);
      // As when its time is over.
      await redis.del(claim);
      assert.deepEqual((await asked).result, { n: 1, run: 1 });
    } finally {
      redis.disconnect();
    }
  });

  it('do not share a time limit: who has longer waits on', async () => {
    const { job, runs, release } = counted();
    const { gateways } = await open({ jobs: [job] });
    const short = assert.rejects(gateways[0].run(job, { n: 1 }, { traceId, timeoutMs: 200 }), {
      code: 'time_limit',
    });
    const long = gateways[0].run(job, { n: 1 }, { traceId, timeoutMs: 60_000 });
    await short;
    await until('a run for who waits on', () => runs.length >= 2);
    release();
    assert.equal(((await long).result as Payload).n, 1);
  });

  it('tell everybody who listens how far they have come', async () => {
    const { job } = counted({
      async run(_payload, _tools, { progress }) {
        progress('candles', 0.1);
        progress('compute', 0.75);
        return {};
      },
    });
    const { gateways } = await open({ jobs: [job] });
    const heard: JobProgress[][] = [[], []];
    await Promise.all(
      heard.map((list) => gateways[0].run(job, { n: 1 }, { traceId, onProgress: (each) => list.push(each) })),
    );
    const expected = [
      { phase: 'queued', fraction: 0 },
      { phase: 'candles', fraction: 0.1 },
      { phase: 'compute', fraction: 0.75 },
      { phase: 'compute', fraction: 1 },
    ];
    assert.deepEqual(heard, [expected, expected]);
  });
});

describe('questions of several owners', () => {
  let rig: JobRig | undefined;
  afterEach(async () => {
    await rig?.close();
    rig = undefined;
  });

  it("take turns: one owner's many do not hold up another's first", async () => {
    const order: string[] = [];
    const { job } = counted({
      name: 'heavy',
      queue: 'backtest',
      run: async ({ n }) => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(n < 100 ? 'many' : 'few');
        return {};
      },
    });
    rig = await openJobRig({ jobs: [job], workers: 0 });
    const [gateway] = rig.gateways;
    const many = Array.from({ length: 60 }, (_, n) => gateway.run(job, { n }, { traceId, owner: 'ann' }));
    const counts = rig.counts;
    await until('all of the first to wait', async () => (await counts('backtest')).wait === 60);
    const few = [100, 101].map((n) => gateway.run(job, { n }, { traceId, owner: 'bob' }));
    await until('all to wait', async () => (await counts('backtest')).wait === 62);
    await rig.addWorker({ threads: 1 });
    await Promise.all([...many, ...few]);
    const places = order.flatMap((name, place) => (name === 'few' ? [place] : []));
    assert.ok(places[0] <= 3 && places[1] <= 6, `bob's came at ${places.join(' and ')}`);
  });

  it('have their turn in the end, however many others keep coming with their first', async () => {
    const { job, runs, ended } = counted({ name: 'heavy', queue: 'backtest', timeoutMs: 60_000 });
    const slow = {
      ...job,
      async run({ n }: Payload, _tools: unknown, { signal }: JobRun) {
        runs.push(n);
        await pause(20, undefined, { signal });
        return n;
      },
    };
    rig = await openJobRig({ jobs: [slow], workers: 0 });
    const [gateway] = rig.gateways;
    const late = Array.from({ length: 8 }, (_, n) => gateway.run(slow, { n }, { traceId, owner: 'ann' }));
    const over = new AbortController();
    let next = 100;
    /** Three who come for the first time wait at any moment: more than the node ever gets done. */
    const keepComing = async () => {
      while (!over.signal.aborted) {
        const n = next++;
        await gateway
          .run(slow, { n }, { traceId, owner: String(n), signal: over.signal })
          .catch(() => undefined);
      }
    };
    const others = [1, 2, 3].map(keepComing);
    const { counts } = rig;
    await until('all to wait', async () => (await counts('backtest')).wait === 11);
    await rig.addWorker({ threads: 1 });
    await Promise.all(late);
    over.abort();
    await Promise.all(others);
    assert.ok(runs.length > 50, `only ${runs.length} ran`);
    assert.equal(ended.length, 0);
  }).timeout(30_000);
});
