import assert from 'node:assert/strict';
import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { defineJob } from '../../../jobs/job.js';
import { EncodedResult } from '../../../jobs/requests/encoded-result.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { openJobRig, type JobRig, type JobRigOptions } from '../../support/jobs/job-rig.js';
import { LoopingCounter } from '../../support/jobs/looping-counter.js';
import { tellPool } from '../../support/jobs/misbehaving-pool.js';
import { until } from '../../support/process/until.js';
import { within } from '../../support/process/within.js';

const traceId = 'test';
const anything = Joi.object().unknown(true);

/** Gives its payload back. */
const echo = defineJob({
  name: 'echo',
  queue: 'analysis',
  timeoutMs: 10_000,
  payload: Joi.object<{ n: number }>({ n: Joi.number().required() }),
  run: async ({ n }, _tools, { timings }) => {
    timings.compute = n;
    return { n, text: 'ä' };
  },
});

/** The same through a thread. */
const threadEcho = defineJob({
  ...echo,
  name: 'thread-echo',
  queue: 'backtest',
  run: async ({ n }: { n: number }, { pool }, { signal }) =>
    (await tellPool(pool, { do: 'answer', value: n }, signal)).output,
});

const refusing = defineJob({
  name: 'refusing',
  queue: 'analysis',
  timeoutMs: 10_000,
  payload: anything,
  run: async () => {
    throw new AppError('not_enough_history', 'needs 61, found 5', { details: { needed: 61, found: 5 } });
  },
});

const broken = defineJob({
  ...refusing,
  name: 'broken',
  run: async () => {
    throw new TypeError('a secret of the inside at /srv/x.js:1');
  },
});

const ofThread = defineJob({
  ...refusing,
  name: 'of-thread',
  run: (misdeed: object, { pool }, { signal }) => tellPool(pool, misdeed as never, signal),
});

/** A job that loops in a thread until it is ended. */
const looping = (loop: LoopingCounter, timeoutMs: number) =>
  defineJob({
    name: 'looping',
    queue: 'backtest',
    timeoutMs,
    payload: anything,
    run: (_payload, { pool }, { signal }) => tellPool(pool, { do: 'loop', counter: loop.counter }, signal),
  });

/** A job that runs until it is let go, and remembers who came. */
function gated() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const started: unknown[] = [];
  const job = defineJob({
    name: 'gated',
    queue: 'backtest',
    timeoutMs: 60_000,
    payload: anything,
    run: async (payload: unknown) => {
      started.push(payload);
      await released;
      return payload;
    },
  });
  return { job, started, release };
}

describe('jobs', () => {
  let rig: JobRig | undefined;

  afterEach(async () => {
    await rig?.close();
    rig = undefined;
  });

  async function open(options: JobRigOptions): Promise<JobRig> {
    rig = await openJobRig(options);
    return rig;
  }

  it('give their result, and where the time went', async () => {
    const { gateways } = await open({ jobs: [echo] });
    const { result, timings } = await gateways[0].run(echo, { n: 7 }, { traceId });
    assert.deepEqual(result, { n: 7, text: 'ä' });
    assert.deepEqual(Object.keys(timings), ['queue', 'compute']);
    assert.equal(timings.compute, 7);
    assert.ok(timings.queue >= 0 && timings.queue < 10_000);
  });

  it('give 200 callers their own results, each once', async () => {
    const { gateways, idle } = await open({ jobs: [echo, threadEcho] });
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const [echoes, threaded] = await Promise.all([
      Promise.all(numbers.map((n) => gateways[0].run(echo, { n }, { traceId }))),
      Promise.all(numbers.map((n) => gateways[0].run(threadEcho, { n }, { traceId }))),
    ]);
    assert.deepEqual(
      echoes.map(({ result }) => result),
      numbers.map((n) => ({ n, text: 'ä' })),
    );
    assert.deepEqual(
      threaded.map(({ result }) => result),
      numbers,
    );
    await idle();
  });

  it('are answered in the order in which several of them were asked', async () => {
    const { gateways } = await open({ jobs: [threadEcho], workers: 2 });
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    const payloads = numbers.map((n) => ({ n }));
    const answers = await gateways[0].runAll(threadEcho, payloads, { traceId });
    assert.deepEqual(
      answers.map(({ result }) => result),
      numbers,
    );
    assert.deepEqual(await gateways[0].runAll(threadEcho, [], { traceId }), []);
  });

  it('end together when one of several fails', async () => {
    const loop = new LoopingCounter();
    const either = defineJob({
      ...looping(loop, 10_000),
      name: 'either',
      run: async ({ fail }: { fail?: boolean }, { pool }, { signal }) => {
        if (!fail) return tellPool(pool, { do: 'loop', counter: loop.counter }, signal);
        await loop.started();
        throw new AppError('not_enough_history', 'needs 61, found 5');
      },
    });
    const { gateways, idle } = await open({ jobs: [either] });
    await assert.rejects(
      gateways[0].runAll(either, [{}, { fail: true }, {}, {}], { traceId }),
      (error) => error instanceof AppError && error.code === 'not_enough_history',
    );
    await loop.stopped();
    await idle();
  });

  it('of which a part suffices give what is done at the limit, and are all ended by a cancel', async () => {
    const loop = new LoopingCounter();
    const partly = defineJob({
      ...looping(loop, 10_000),
      name: 'partly',
      run: async ({ n }: { n?: number }, { pool }, { signal }) =>
        n ?? tellPool(pool, { do: 'loop', counter: loop.counter }, signal),
    });
    const { gateways, idle } = await open({ jobs: [partly] });
    const [gateway] = gateways;
    const payloads = [{ n: 1 }, { n: 2 }, {}];
    const isCoded = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;
    const started = performance.now();
    await gateway.runAll(partly, [{ n: 3 }, { n: 4 }], { traceId });
    const timeoutMs = Math.max(3_000, 10 * (performance.now() - started));
    const some = await gateway.runAll(partly, payloads, { traceId, keepsDone: true, timeoutMs });
    assert.deepEqual(
      some.map(({ result }) => result),
      [1, 2],
    );
    await loop.stopped();
    const short = { traceId, timeoutMs: 50 };
    await assert.rejects(gateway.runAll(partly, payloads, short), isCoded('time_limit'));
    await assert.rejects(gateway.runAll(partly, [{}], { ...short, keepsDone: true }), isCoded('time_limit'));
    await idle();
    const leaving = new AbortController();
    const left = gateway.runAll(partly, payloads, { traceId, keepsDone: true, signal: leaving.signal });
    await loop.started();
    leaving.abort();
    await assert.rejects(left, isCoded('cancelled'));
    await loop.stopped();
    await idle();
  });

  it('give the gateways of one Redis their own results', async () => {
    const { gateways } = await open({ jobs: [echo, threadEcho], gateways: 2, workers: 2 });
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    const answers = await Promise.all(
      gateways.flatMap((gateway, g) =>
        numbers.map(async (n) => [
          g * 1_000 + n,
          (await gateway.run(threadEcho, { n: g * 1_000 + n }, { traceId })).result,
        ]),
      ),
    );
    for (const [asked, answered] of answers) assert.equal(answered, asked);
  });

  it('keep code, message and details of their errors', async () => {
    const { gateways } = await open({ jobs: [refusing, ofThread] });
    const expected = { name: 'AppError', code: 'not_enough_history', details: { needed: 61, found: 5 } };
    await assert.rejects(gateways[0].run(refusing, {}, { traceId }), {
      ...expected,
      message: 'needs 61, found 5',
    });
    // The same from within a thread.
    await assert.rejects(gateways[0].run(ofThread, { do: 'refuse' }, { traceId }), {
      ...expected,
      message: 'too short',
    });
  });

  it('say nothing of the inside when they break', async () => {
    const { gateways } = await open({ jobs: [broken, ofThread, echo] });
    await assert.rejects(gateways[0].run(broken, {}, { traceId }), (error) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.code, error.message, error.details], ['unexpected', 'unexpected error', {}]);
      return true;
    });
    await assert.rejects(gateways[0].run(ofThread, { do: 'exit', code: 1 }, { traceId }), {
      code: 'thread_failed',
    });
    await assert.rejects(gateways[0].run(ofThread, { do: 'throw' }, { traceId }), { code: 'thread_failed' });
    assert.equal((await gateways[0].run(echo, { n: 1 }, { traceId })).result.n, 1);
  });

  it('that give no result fail, and hold up nothing', async () => {
    const empty = defineJob({ ...refusing, name: 'empty', run: async () => undefined });
    const emptyThread = defineJob({
      ...refusing,
      name: 'empty-thread',
      run: async (_payload: object, { pool }, { signal }) =>
        new EncodedResult(
          (await tellPool(pool, { do: 'answer', value: undefined }, signal)).output as string,
        ),
    });
    const { gateways } = await open({ jobs: [empty, emptyThread, echo] });
    for (const job of [empty, emptyThread])
      await assert.rejects(gateways[0].run<object, unknown>(job, {}, { traceId }), { code: 'unexpected' });
    assert.equal((await gateways[0].run(echo, { n: 1 }, { traceId })).result.n, 1);
  });

  it('that no node knows fail at once', async () => {
    const { gateways, idle } = await open({ jobs: [echo] });
    await assert.rejects(gateways[0].run(refusing, {}, { traceId }), { code: 'unexpected' });
    await idle();
  });

  it('refuse a payload that is not theirs', async () => {
    const { gateways } = await open({ jobs: [echo] });
    for (const payload of [{}, { n: '1' }, { n: 1, more: 1 }, null])
      await assert.rejects(gateways[0].run(echo, payload as never, { traceId }), (error) => {
        assert.equal((error as AppError).code, 'invalid_input');
        assert.match((error as AppError).message, /^job "echo": /);
        return true;
      });
  });

  it('are refused when as many wait as may', async () => {
    const { gateways, counts } = await open({ jobs: [threadEcho], workers: 0, depthLimit: 3 });
    const controller = new AbortController();
    const waiting = [1, 2, 3].map((n) =>
      assert.rejects(gateways[0].run(threadEcho, { n }, { traceId, signal: controller.signal }), {
        code: 'cancelled',
      }),
    );
    await until('three waiting jobs', async () => (await counts('backtest')).wait === 3);
    await assert.rejects(gateways[0].run(threadEcho, { n: 4 }, { traceId }), {
      code: 'queue_full',
      message: /^3 jobs wait already/,
    });
    assert.equal((await counts('backtest')).wait, 3);
    controller.abort();
    await Promise.all(waiting);
  });

  it('of one queue do not hold up another', async () => {
    const loop = new LoopingCounter();
    const job = looping(loop, 60_000);
    const { gateways, idle } = await open({ jobs: [job, echo], threads: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const blocked = [1, 2, 3].map(() => assert.rejects(gateways[0].run(job, {}, { traceId, signal })));
    await loop.started();
    assert.equal((await gateways[0].run(echo, { n: 1 }, { traceId })).result.n, 1);
    controller.abort();
    await Promise.all(blocked);
    await idle();
  });

  describe('over their time limit', () => {
    it('are ended in their thread, and free it', async () => {
      const loop = new LoopingCounter();
      const job = looping(loop, 1_000);
      const { gateways, idle } = await open({ jobs: [job, threadEcho], threads: 1 });
      // The thread has loaded its module: the limit is for the job alone.
      await gateways[0].run(threadEcho, { n: 0 }, { traceId });
      const started = performance.now();
      const running = assert.rejects(gateways[0].run(job, {}, { traceId }), {
        code: 'time_limit',
        kind: 'timeout',
        message: '"looping" took longer than its limit of 1 s',
      });
      await loop.started();
      await running;
      // Gateway and node agree on the time to within some milliseconds. Nothing else ends the loop.
      assert.ok(performance.now() - started >= 900);
      await loop.stopped();
      assert.equal((await gateways[0].run(threadEcho, { n: 1 }, { traceId })).result, 1);
      await idle();
    });

    it('end at a limit of the caller that is shorter', async () => {
      const loop = new LoopingCounter();
      const job = looping(loop, 60_000);
      const { gateways } = await open({ jobs: [job] });
      const running = gateways[0].run(job, {}, { traceId, timeoutMs: 250 });
      await within('the limit of the caller', assert.rejects(running, { code: 'time_limit' }));
      await loop.stopped();
    });

    it('never get more than their own', async () => {
      const loop = new LoopingCounter();
      const job = looping(loop, 250);
      const { gateways } = await open({ jobs: [job] });
      await assert.rejects(gateways[0].run(job, {}, { traceId, timeoutMs: 60_000 }), { code: 'time_limit' });
      await loop.stopped();
    });

    it('leave the queue when they only waited', async () => {
      const { gateways, redisUrl, idle } = await open({ jobs: [echo], workers: 0 });
      await assert.rejects(gateways[0].run(echo, { n: 1 }, { traceId, timeoutMs: 500 }), {
        code: 'time_limit',
      });
      const redis = openRedis(redisUrl, patient);
      assert.equal(await redis.get('bull:analysis:id'), '1');
      redis.disconnect();
      await idle();
    });

    it('count the wait in: the second of two is over before it starts', async () => {
      const [first, second] = [new LoopingCounter(), new LoopingCounter()];
      const [one, two] = [looping(first, 400), { ...looping(second, 400), name: 'second' }];
      const { gateways, idle } = await open({ jobs: [one, two], threads: 1 });
      const both = [
        assert.rejects(gateways[0].run(one, {}, { traceId }), { code: 'time_limit' }),
        assert.rejects(gateways[0].run(two, {}, { traceId }), { code: 'time_limit' }),
      ];
      await Promise.all(both);
      await Promise.all([first.stopped(), second.stopped()]);
      await idle();
    });
  });

  describe('whose caller is gone', () => {
    it('leave the queue', async () => {
      const { gateways, counts, idle } = await open({ jobs: [echo], workers: 0 });
      const controller = new AbortController();
      const waiting = assert.rejects(
        gateways[0].run(echo, { n: 1 }, { traceId, signal: controller.signal }),
        {
          code: 'cancelled',
        },
      );
      await until('a waiting job', async () => (await counts('analysis')).wait === 1);
      controller.abort();
      await waiting;
      await idle();
    });

    it('leave the queue when that happens while they are put in', async () => {
      const { gateways, idle } = await open({ jobs: [echo], workers: 0 });
      const gone = Array.from({ length: 20 }, async (_, n) => {
        const controller = new AbortController();
        const waiting = assert.rejects(gateways[0].run(echo, { n }, { traceId, signal: controller.signal }), {
          code: 'cancelled',
        });
        for (let tick = 0; tick < n; tick++) await new Promise((resolve) => setImmediate(resolve));
        controller.abort();
        await waiting;
      });
      await Promise.all(gone);
      // Those that were under way to Redis have arrived once a later one has.
      await assert.rejects(gateways[0].run(echo, { n: 0 }, { traceId, timeoutMs: 100 }), {
        code: 'time_limit',
      });
      await idle();
    });

    it('are ended in their thread', async () => {
      const loop = new LoopingCounter();
      const job = looping(loop, 60_000);
      const { gateways, idle } = await open({ jobs: [job, threadEcho], threads: 1, workers: 2 });
      const controller = new AbortController();
      const running = assert.rejects(gateways[0].run(job, {}, { traceId, signal: controller.signal }), {
        code: 'cancelled',
      });
      await loop.started();
      controller.abort();
      await running;
      await loop.stopped();
      await idle();
      const answers = await Promise.all(
        [1, 2, 3].map((n) => gateways[0].run(threadEcho, { n }, { traceId })),
      );
      assert.deepEqual(
        answers.map(({ result }) => result),
        [1, 2, 3],
      );
    });

    it('are ended although their node lost them, took them anew, and found them running', async () => {
      const loop = new LoopingCounter();
      const job = looping(loop, 60_000);
      const { gateways, redisUrl, counts } = await open({ jobs: [job], threads: 2 });
      const controller = new AbortController();
      const running = assert.rejects(gateways[0].run(job, {}, { traceId, signal: controller.signal }));
      await loop.started();
      const redis = openRedis(redisUrl, patient);
      try {
        const [lock] = await redis.keys('bull:backtest:*:lock');
        const isTaken = async () => {
          await redis.del(lock);
          return (await redis.hget(lock.replace(/:lock$/, ''), 'ats')) === '2';
        };
        await until('the node to take it anew', isTaken);
      } finally {
        redis.disconnect();
      }
      await until('the second run to find the first', async () => (await counts('backtest')).active === 0);
      controller.abort();
      await running;
      await loop.stopped();
    }).timeout(60_000);

    it('are ended alone: others of the same name run on', async () => {
      const loops = [new LoopingCounter(), new LoopingCounter()];
      const job = defineJob({
        ...looping(loops[0], 60_000),
        run: ({ n }: { n: number }, { pool }, { signal }) =>
          tellPool(pool, { do: 'loop', counter: loops[n].counter }, signal),
      });
      const { gateways } = await open({ jobs: [job] });
      const controllers = loops.map(() => new AbortController());
      const running = controllers.map(({ signal }, n) =>
        assert.rejects(gateways[0].run(job, { n }, { traceId, signal })),
      );
      await Promise.all(loops.map((loop) => loop.started()));
      controllers[0].abort();
      await running[0];
      await loops[0].stopped();
      await loops[1].started();
      controllers[1].abort();
      await running[1];
      await loops[1].stopped();
    });

    it('are never put in when that was known before', async () => {
      const { gateways, counts } = await open({ jobs: [echo], workers: 0 });
      await assert.rejects(gateways[0].run(echo, { n: 1 }, { traceId, signal: AbortSignal.abort() }), {
        code: 'cancelled',
      });
      assert.deepEqual(await counts('analysis'), { wait: 0, active: 0 });
    });
  });

  describe('when their node is closed', () => {
    it('are finished, and no more are taken', async () => {
      const { job, started, release } = gated();
      const { gateways, workers, counts } = await open({ jobs: [job], threads: 1 });
      const first = gateways[0].run(job, { n: 1 }, { traceId });
      await until('the first to run', () => started.length === 1);
      const closed = workers[0].close();
      const controller = new AbortController();
      const second = assert.rejects(gateways[0].run(job, { n: 2 }, { traceId, signal: controller.signal }));
      await until('the second to wait', async () => (await counts('backtest')).wait === 1);
      release();
      assert.deepEqual((await first).result, { n: 1 });
      await closed;
      assert.deepEqual(started, [{ n: 1 }]);
      controller.abort();
      await second;
    });
  });

  describe('when their node is closed and they do not end in time', () => {
    it('are left to another node, which answers', async () => {
      const { job, started, release } = gated();
      const { gateways, workers, addWorker } = await open({ jobs: [job], workers: 0 });
      await addWorker({ threads: 1, drainMs: 200 });
      const asked = gateways[0].run(job, { n: 1 }, { traceId, timeoutMs: 60_000 });
      await until('the first to run', () => started.length === 1);
      // The job itself does not end before it is released.
      await workers[0].close();
      await addWorker({ threads: 1 });
      await until('the second to run', () => started.length === 2);
      release();
      assert.deepEqual((await asked).result, { n: 1 });
    }).timeout(60_000);
  });

  describe('when their gateway is closed', () => {
    it('are given up: their callers hear of it', async () => {
      const { job, started, release } = gated();
      const { gateways } = await open({ jobs: [job], gateways: 2 });
      const [mine, other] = gateways.map((gateway, n) => gateway.run(job, { n }, { traceId }));
      await until('both to run', () => started.length === 2);
      const given = assert.rejects(mine, { code: 'cancelled', message: 'the gateway is closing' });
      await gateways[0].close();
      await given;
      release();
      assert.deepEqual((await other).result, { n: 1 });
    });

    it('are ended on their node when nobody else waits', async () => {
      const loop = new LoopingCounter();
      const job = looping(loop, 60_000);
      const { gateways } = await open({ jobs: [job] });
      const given = assert.rejects(gateways[0].run(job, {}, { traceId }), { code: 'cancelled' });
      await loop.started();
      await gateways[0].close();
      await given;
      await loop.stopped();
    });
  });
});
