import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { ScheduleQueue } from '../../../jobs/schedules/worker/schedule-queue.js';
import { takeScheduleLease } from '../../../jobs/schedules/worker/schedule-worker.js';
import { DeadLetters } from '../../../storage/cluster/dead-letters.js';
import { RoleChild } from '../../support/process/role-child.js';
import {
  openScheduleRig,
  rigScheduleName as name,
  type ScheduleRig,
} from '../../support/jobs/schedule-rig.js';
import { freshMongodbUrl } from '../../support/servers/servers.js';
import { until } from '../../support/process/until.js';

/** A pattern whose next slot is far away. */
const newYear = '0 0 0 1 1 *';
const slotsOf = ({ began }: ScheduleRig) => began.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));

describe('workers of schedules', function () {
  this.timeout(30_000);
  let rig: ScheduleRig;
  afterEach(() => rig.close());

  it('run each slot once, however many there are', async () => {
    rig = await openScheduleRig();
    await Promise.all([rig.addWorker(), rig.addWorker(), rig.addWorker()]);
    await until('four slots', () => slotsOf(rig).length >= 4);
    const slots = slotsOf(rig).map((due) => Date.parse(due));
    // One that a busy machine came too late for is left out, and none comes twice.
    slots.slice(1).forEach((slot, n) => assert.ok(slot > slots[n] && slot % 1_000 === 0));
    assert.equal(new Set(rig.began.map(({ jobId }) => jobId)).size, rig.began.length);
  });

  it('run a new schedule at once, once', async () => {
    rig = await openScheduleRig({ pattern: newYear });
    await Promise.all([rig.addWorker(), rig.addWorker()]);
    const run = await until('the end', async () => {
      const found = await rig.runs.find(name);
      return found?.outcome === 'done' && found;
    });
    assert.deepEqual([run.dueAt, run.note, run.attempt], [null, 'ticked', 1]);
    await rig.addWorker();
    assert.equal(rig.began.length, 1);
  });

  it('leave a run of a schedule that they do not know to one that does', async () => {
    rig = await openScheduleRig({ pattern: newYear });
    const newer = await rig.addWorker();
    await until('the first run', async () => (await rig.runs.find(name))?.outcome === 'done');
    await newer.close();
    await rig.addWorker({ name: 'older' });
    await until('the run of the older one', () => rig.began.length === 2);
    const queue = new ScheduleQueue(rig.redis);
    const jobId = await queue.runNow(name);
    await pause(300);
    assert.ok(await queue.isOpen(jobId));
    await rig.addWorker();
    await until('the run', async () => !(await queue.isOpen(jobId)));
    assert.deepEqual([rig.began.length, rig.began[2].name, rig.began[2].attempt], [3, name, 1]);
    await queue.close();
  });

  it('never run two of one schedule at the same time, and leave out what was due meanwhile', async () => {
    rig = await openScheduleRig({ takesMs: 1_500 });
    await Promise.all([rig.addWorker(), rig.addWorker()]);
    await until('three runs', () => rig.began.length >= 3);
    assert.equal(rig.now.most, 1);
    const starts = rig.began.map(({ startedAt }) => Date.parse(startedAt));
    for (let n = 1; n < starts.length; n++) assert.ok(starts[n] - starts[n - 1] >= 1_500);
  });

  it('run once what was missed while none was there', async () => {
    rig = await openScheduleRig({ pattern: '*/2 * * * * *' });
    const first = await rig.addWorker();
    // One that is broken off would be given back, and run again.
    const hasRun = async () => (await rig.runs.find(name))?.outcome === 'done';
    await until('a slot', async () => slotsOf(rig).length >= 1 && hasRun());
    await first.close();
    const seen = slotsOf(rig).length;
    const missed = Date.parse(slotsOf(rig).at(-1)!) + 2_000;
    await until('two slots to pass', () => Date.now() > missed + 2_100);
    const startedAt = Date.now();
    await rig.addWorker();
    await until('two more runs', () => slotsOf(rig).length >= seen + 2);
    const [made, next] = slotsOf(rig)
      .slice(seen)
      .map((due) => Date.parse(due));
    assert.equal(made, missed);
    assert.ok(next > startedAt);
  });

  it('take up what a killed worker ran, and tell how it ended', async () => {
    rig = await openScheduleRig({ pattern: newYear });
    const env = { REDIS_URL: rig.redisUrl, MONGODB_URL: await freshMongodbUrl() };
    const child = await RoleChild.start('hanging schedules', env);
    await until('the run', () => child.reports.includes('began'));
    await rig.addWorker();
    assert.equal(rig.began.length, 0);
    await child.kill();
    const run = await until('the other worker', async () => {
      const found = await rig.runs.find(name);
      return found?.outcome === 'done' && found;
    });
    assert.deepEqual([rig.began.length, run.attempt], [1, 2]);
  });

  it('give what runs to another when they are closed, and no try is lost by that', async () => {
    rig = await openScheduleRig({ pattern: newYear });
    const leaving = await rig.addWorker({ run: () => new Promise(() => undefined) });
    await until('the run', () => rig.began.length === 1);
    await rig.addWorker();
    await leaving.close();
    await until('the other worker', async () => (await rig.runs.find(name))?.outcome === 'done');
    // One that was not given back would be taken up as its second try.
    assert.deepEqual(
      rig.began.map(({ attempt }) => attempt),
      [1, 1],
    );
  });

  it('try a run that fails three times, and then keep it for an operator', async () => {
    rig = await openScheduleRig({ pattern: newYear });
    await rig.addWorker({ run: () => Promise.reject(new TypeError('a fault of the code')) });
    const letters = new DeadLetters(rig.redis);
    const [letter] = await until('the letter', async () => {
      const found = await letters.list();
      return found.length > 0 && found;
    });
    assert.deepEqual(
      [letter.queue, letter.name, letter.error.code, letter.error.message, letter.attempts],
      ['schedules', name, 'unexpected', 'a fault of the code', 3],
    );
    assert.equal(rig.began.length, 3);
    assert.equal((await rig.runs.find(name))!.outcome, 'failed');
  });

  it('end a run whose time is over', async () => {
    rig = await openScheduleRig({ pattern: newYear });
    await rig.addWorker({ limitMs: 50, run: () => new Promise(() => undefined) });
    const run = await until('the end', async () => {
      const found = await rig.runs.find(name);
      return found?.outcome === 'failed' && found;
    });
    assert.equal(run.note, '"tick" took longer than its limit of 0.05 s');
  });

  it('do not start again what has ended its worker three times, and record that it has failed', async () => {
    rig = await openScheduleRig({ pattern: newYear });
    const queue = new ScheduleQueue(rig.redis);
    // Set up already: a new schedule would run at once.
    await queue.offer([{ name, pattern: newYear, summary: '', limitMs: 1, run: async () => '' }]);
    const jobId = await queue.runNow(name);
    const times = { dueAt: null, startedAt: new Date(0).toISOString(), endedAt: null };
    // As the worker that died last has left it.
    await rig.runs.put(
      { ...times, name, jobId, outcome: 'running', note: '', node: 'host:1', attempt: 3 },
      0,
    );
    // How often it was started, as BullMQ counts it.
    await rig.redis.hset(`bull:schedules:${jobId}`, 'ats', 3);
    await rig.addWorker();
    const letters = new DeadLetters(rig.redis);
    const [letter] = await until('the letter', async () => {
      const found = await letters.list();
      return found.length > 0 && found;
    });
    assert.match(letter.error.message, /started 3 times and did not end/);
    assert.equal(rig.began.filter((run) => run.jobId === jobId).length, 0);
    const { outcome, note } = (await rig.runs.find(name))!;
    assert.deepEqual([outcome, note], ['failed', letter.error.message]);
    await queue.close();
  });

  it('set up again what Redis has lost, and nothing that it still has', async () => {
    rig = await openScheduleRig({ pattern: newYear, restoreMs: 20 });
    await Promise.all([rig.addWorker(), rig.addWorker()]);
    const isDone = async () => (await rig.runs.find(name))?.outcome === 'done';
    await until('the first run', isDone);
    const queue = new ScheduleQueue(rig.redis);
    const schedule = { name, summary: '', limitMs: 1, run: async () => '' };
    // As a newer version has set it up.
    await queue.offer([{ ...schedule, pattern: '0 0 0 2 1 *' }]);
    const year = new Date().getUTCFullYear() + 1;
    await queue.restore([{ ...schedule, pattern: newYear }]);
    const [changed] = await queue.nextRuns();
    await rig.redis.flushdb();
    await until('the run that was lost', isDone);
    assert.deepEqual(
      [changed, ...(await queue.nextRuns())],
      [
        [name, Date.UTC(year, 0, 2)],
        [name, Date.UTC(year, 0, 1)],
      ],
    );
    await queue.close();
  });

  it('follow a pattern that was changed', async () => {
    rig = await openScheduleRig({ pattern: newYear });
    const queue = new ScheduleQueue(rig.redis);
    const schedule = { name, summary: '', limitMs: 1, run: async () => '' };
    await queue.offer([{ ...schedule, pattern: newYear }]);
    const year = new Date().getUTCFullYear() + 1;
    assert.deepEqual([...(await queue.nextRuns())], [[name, Date.UTC(year, 0, 1)]]);
    await queue.offer([{ ...schedule, pattern: '0 0 0 2 1 *' }]);
    assert.deepEqual([...(await queue.nextRuns())], [[name, Date.UTC(year, 0, 2)]]);
    assert.equal(await queue.keepOnly([]), 1);
    assert.equal((await queue.nextRuns()).size, 0);
    await queue.close();
  });
});

describe('a schedule lease', () => {
  let rig: ScheduleRig;
  before(async () => (rig = await openScheduleRig()));
  after(() => rig.close());

  it('is held by one run at a time; a worker that continues the run takes it over and aborts the signal of the other', async () => {
    const first = (await takeScheduleLease(rig.redis, 'x', 'job 1'))!;
    assert.equal(await takeScheduleLease(rig.redis, 'x', 'job 2'), null);
    const taken = (await takeScheduleLease(rig.redis, 'x', 'job 1'))!;
    await until('the loser to hear', () => first.signal.aborted);
    await first.release();
    assert.equal(await takeScheduleLease(rig.redis, 'x', 'job 2'), null);
    await taken.release();
    const next = (await takeScheduleLease(rig.redis, 'x', 'job 2'))!;
    assert.equal(taken.signal.aborted, false);
    await next.release();
  });
});
