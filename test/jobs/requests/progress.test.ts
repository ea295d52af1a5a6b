import assert from 'node:assert/strict';
import Joi from 'joi';
import type { Candles } from '../../../compute/model/candles.js';
import { defineJob } from '../../../jobs/job.js';
import { openPool, type ThreadPool } from '../../../jobs/node/pool.js';
import type { JobProgress } from '../../../jobs/requests/wire.js';
import { openJobRig, type JobRig } from '../../support/jobs/job-rig.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { until } from '../../support/process/until.js';

const traceId = 'test';
const costs = { feePercent: 0.1, slippagePercent: 0.05 };
const upTo = (count: number, from: number) => Array.from({ length: count }, (_, n) => from + n);

describe('the progress of a job', () => {
  let pool: ThreadPool;
  let candles: Candles;
  let rig: JobRig | undefined;

  before(() => {
    pool = openPool({ threads: 1, threadMemoryMb: 256 });
    candles = randomCandles(60_000);
  });
  after(() => pool.close());
  afterEach(async () => {
    await rig?.close();
    rig = undefined;
  });

  /** One to two seconds' work. */
  const walkForward = defineJob({
    name: 'walk-forward',
    queue: 'backtest',
    timeoutMs: 120_000,
    payload: Joi.object<{ n: number }>({ n: Joi.number().required() }),
    async run({ n }, _tools, { signal, progress }) {
      const grid = { fast: upTo(20, 2), slow: upTo(25, 30 + n) };
      const params = {
        strategy: 'ema_cross',
        grid,
        folds: 8,
        trainRatio: 0.7,
        exchange: null,
        ...costs,
      } as const;
      const { output } = await pool.runToText(
        'walk-forward',
        { candles, interval: '1h', params },
        signal,
        progress,
      );
      return output;
    },
  });

  /** Places in the queue are told while the job waits; then each report is beyond the one before. */
  const assertRises = (heard: readonly JobProgress[]) => {
    const isEarly = ({ phase }: JobProgress) => phase === 'queued' || phase === 'running';
    const rest = heard.slice(heard.findIndex((each) => !isEarly(each)));
    assert.ok(rest.length >= 2, `heard ${JSON.stringify(heard)}`);
    rest.slice(1).forEach(({ fraction }, n) => assert.ok(fraction > rest[n].fraction, JSON.stringify(heard)));
    for (const { fraction } of heard.slice(0, -rest.length)) assert.equal(fraction, 0);
    assert.ok(rest.every(({ phase }) => ['fit', 'test'].includes(phase)));
    assert.equal(heard.at(-1)!.fraction, 1);
  };

  it('is heard by everybody who listens, whenever they came and at whatever gateway', async () => {
    rig = await openJobRig({ jobs: [walkForward], gateways: 2, workers: 2, threads: 1 });
    const { gateways } = rig;
    const heard: JobProgress[][] = [[], [], []];
    const ask = (gateway: number, listener: number) =>
      gateways[gateway].run(
        walkForward,
        { n: 1 },
        { traceId, onProgress: (each) => heard[listener].push(each) },
      );
    // The first to ask does not listen.
    const silent = gateways[0].run(walkForward, { n: 1 }, { traceId });
    const asked = [ask(0, 0), ask(1, 1)];
    await until('the first progress', () => heard[0].length > 0);
    asked.push(ask(0, 2));
    const results = await Promise.all([silent, ...asked]);
    for (const { result } of results) assert.deepEqual(result, results[0].result);
    for (const list of heard) assertRises(list);
  });

  it('says before the job begins which place it has in the queue', async () => {
    rig = await openJobRig({ jobs: [walkForward], workers: 0, gateways: 2 });
    const { gateways } = rig;
    const heard: JobProgress[][] = [[], [], []];
    const results: Promise<unknown>[] = [];
    for (const n of [0, 1, 2]) {
      const onProgress = (each: JobProgress) => heard[n].push(each);
      results.push(gateways[n % 2].run(walkForward, { n: 3 + n }, { traceId, owner: `${n}`, onProgress }));
      assert.deepEqual(heard[n], [{ phase: 'queued', fraction: 0 }]);
      await until('the job', async () => (await rig!.counts('backtest')).wait === n + 1);
    }
    await until('places', () => heard.every((list) => list.length >= 2));
    heard.forEach((list, n) =>
      assert.deepEqual(list.at(-1), { phase: 'queued', fraction: 0, position: n + 1 }),
    );
    await rig.addWorker({ threads: 1 });
    await Promise.all(results);
    for (const list of heard) {
      const begun = list.findIndex(({ phase }) => phase !== 'queued');
      assert.ok(list.slice(begun).every(({ phase }) => ['running', 'fit', 'test'].includes(phase)));
      assert.equal(list.at(-1)!.fraction, 1);
    }
  });

  it('ends with a job that is cancelled, and its thread is free', async () => {
    rig = await openJobRig({ jobs: [walkForward], threads: 1 });
    const [gateway] = rig.gateways;
    const leaving = new AbortController();
    const heard: JobProgress[] = [];
    const asked = assert.rejects(
      gateway.run(
        walkForward,
        { n: 2 },
        { traceId, signal: leaving.signal, onProgress: (each) => heard.push(each) },
      ),
      { code: 'cancelled' },
    );
    await until('the first progress', () => heard.length > 0);
    leaving.abort();
    await asked;
    const before = heard.length;
    await pool.run('core-line', { candles, interval: '1h' }, new AbortController().signal);
    assert.equal(heard.length, before);
    assert.ok(heard.at(-1)!.fraction < 1);
  });

  it('of several asked together is that of all of them', async () => {
    const stepping = defineJob({
      ...walkForward,
      name: 'stepping',
      async run({ n }: { n: number }, _tools, { progress }) {
        progress('step', 0.5);
        return n;
      },
    });
    rig = await openJobRig({ jobs: [stepping], threads: 2 });
    const heard: number[] = [];
    const payloads = [0, 1, 2, 3].map((n) => ({ n }));
    const onProgress = ({ fraction }: JobProgress) => heard.push(fraction);
    await rig.gateways[0].runAll(stepping, payloads, { traceId, onProgress });
    assert.deepEqual(
      heard,
      heard.toSorted((left, right) => left - right),
    );
    // Once that they wait, and two steps of each.
    assert.equal(heard.length, 9);
    assert.deepEqual([heard[0], heard.at(-1)], [0, 1]);
  });
});
