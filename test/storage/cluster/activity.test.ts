import assert from 'node:assert/strict';
import { ActivityRecorder } from '../../../storage/cluster/activity-recorder.js';
import {
  activityKey,
  readActivity,
  binBounds,
  binOf,
  quantileOf,
} from '../../../storage/cluster/activity.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const nothing = { count: 0, failed: 0, p50Ms: null, p99Ms: null };

describe('activity of a cluster', () => {
  const context = temporaryRedis();
  const recorders: ActivityRecorder[] = [];
  // An hour: only the test itself sends.
  const recorder = (): ActivityRecorder => {
    const made = new ActivityRecorder(context.redis, 3_600_000);
    recorders.push(made);
    return made;
  };
  afterEach(async () => {
    await Promise.all(recorders.splice(0).map((each) => each.close()));
    const keys = await context.redis.keys(`${activityKey}*`);
    if (keys.length > 0) await context.redis.del(keys);
  });

  it('has 60 minutes without a gap, the present one last', async () => {
    const minutes = await readActivity(context.redis);
    assert.equal(minutes.length, 60);
    const [seconds] = await context.redis.time();
    const present = Math.floor(Number(seconds) / 60) * 60_000;
    const times = minutes.map(({ at }) => Date.parse(at));
    assert.ok(times.at(-1) === present || times.at(-1) === present - 60_000);
    for (let n = 1; n < 60; n++) assert.equal(times[n] - times[n - 1], 60_000);
    for (const { requests, jobs } of minutes) assert.deepEqual([requests, jobs], [nothing, nothing]);
  });

  it('adds up what all processes count, requests and jobs apart', async () => {
    const [one, other] = [recorder(), recorder()];
    for (let n = 0; n < 98; n++) one.record('requests', 0.5, false);
    other.record('requests', 900, true);
    other.record('requests', 900, false);
    other.record('jobs', 4, false);
    await one.flush();
    await other.flush();
    await other.flush();
    const total = (await readActivity(context.redis)).filter(
      ({ jobs, requests }) => jobs.count + requests.count > 0,
    );
    const sum = (kind: 'requests' | 'jobs', field: 'count' | 'failed') =>
      total.reduce((all, minute) => all + minute[kind][field], 0);
    assert.deepEqual(
      [sum('requests', 'count'), sum('requests', 'failed'), sum('jobs', 'count'), sum('jobs', 'failed')],
      [100, 1, 1, 0],
    );
    const { p50Ms, p99Ms } = total.at(-1)!.requests;
    assert.ok(total.length > 1 || (p50Ms! <= 1 && p99Ms! > 700 && p99Ms! <= 1_000));
  });

  it('sends one command for all that happened, and none for nothing', async () => {
    const made = recorder();
    // The server knows the script from now on.
    made.record('requests', 1, false);
    await made.flush();
    for (let n = 0; n < 1_000; n++) made.record('requests', n, n % 2 === 0);
    const calls = async () => {
      const stats = await context.redis.info('commandstats');
      return [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      );
    };
    const before = await calls();
    await made.flush();
    await made.flush();
    assert.equal((await calls()) - before, 1);
  });

  it('is kept for little more than an hour', async () => {
    const made = recorder();
    made.record('jobs', 1, false);
    await made.close();
    const [key] = await context.redis.keys(`${activityKey}*`);
    const seconds = await context.redis.ttl(key);
    assert.ok(seconds > 3_600 && seconds <= 3_900, String(seconds));
  });
});

describe('bins of durations', () => {
  it('hold what is not above their bound', () => {
    assert.deepEqual([0, 1, 1.2, 70_000, 70_001].map(binOf), [0, 0, 1, 29, 30]);
    assert.deepEqual(
      binBounds,
      [...binBounds].sort((a, b) => a - b),
    );
  });

  it('give a quantile within the bin that holds it', () => {
    const counts = binBounds.map(() => 0);
    assert.equal(quantileOf(counts, 0.5), null);
    counts[binOf(8)] = 10;
    assert.equal(quantileOf(counts, 0.5), 8.5);
    counts[binOf(400)] = 990;
    assert.equal(quantileOf(counts, 1), 500);
  });
});
