import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { RequestBatch } from '../../jobs/requests/wire.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import type { EngineAnswer } from '../support/jobs/engine-job.js';
import { otherRelease } from '../support/process/other-release.js';
import { RoleChild } from '../support/process/role-child.js';
import { until } from '../support/process/until.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';

const own = engineVersion;
const next = 'next';

/** The id of a request as a gateway of that engine makes it. */
const idOf = (engine: string, n: number) =>
  createHash('sha256')
    .update(JSON.stringify([engine, 'which engine', { n }]))
    .digest('base64url');

describe('two engine versions at once', function () {
  this.timeout(90_000);

  let folder: string;
  let releases: Record<string, URL | undefined>;
  let redisUrl: string;
  let redis: Redis;
  let roles: RoleChild[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-releases-'));
    releases = {
      [own]: undefined,
      [next]: await otherRelease(join(folder, 'next'), next),
    };
  });
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    redisUrl = await freshRedisUrl();
    redis = openRedis(redisUrl, patient);
    await connected(redis);
  });
  afterEach(async () => {
    redis.disconnect();
    await Promise.all(roles.map((role) => role.kill()));
    roles = [];
  });

  const start = async (name: 'engine node' | 'engine gateway', engine: string) => {
    const env = { REDIS_URL: redisUrl, MONGODB_URL: await freshMongodbUrl() };
    const role = await RoleChild.start(name, env, undefined, releases[engine]);
    roles.push(role);
    return role;
  };
  /** Asks numbers at once, and answers by which engines they were answered. */
  const ask = async (gateway: RoleChild, numbers: number[]): Promise<string[]> => {
    const { length } = gateway.reports;
    gateway.process.send(numbers);
    await until('the answers', () => gateway.reports.length > length, 40_000);
    const answers = JSON.parse(gateway.reports[length]) as EngineAnswer[];
    assert.deepEqual(
      answers.map(({ n }) => n),
      numbers,
    );
    return [...new Set(answers.map(({ engine }) => engine))];
  };
  const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);
  /** The engines under whose ids results of these numbers are kept, each checked to be of that engine. */
  const kept = async (numbers: number[]): Promise<string[]> => {
    const found = new Set<string>();
    for (const engine of [own, next])
      for (const n of numbers) {
        const text = await redis.hget('tidemark:results', idOf(engine, n));
        if (text === null) continue;
        assert.deepEqual(JSON.parse(text), { n, engine });
        found.add(engine);
      }
    return [...found];
  };

  it('answer each gateway by its own engine, and keep no result under the name of the other', async () => {
    await Promise.all([start('engine node', own), start('engine node', next)]);
    const [one, other] = await Promise.all([start('engine gateway', own), start('engine gateway', next)]);
    for (let round = 0; round < 3; round++) {
      const numbers = upTo(200, round * 200);
      const answered = await Promise.all([ask(one, numbers), ask(other, numbers)]);
      assert.deepEqual(answered, [[own], [next]]);
      assert.deepEqual(await kept(numbers), [own, next]);
    }
  });

  for (const [gateways, nodes] of [
    [own, next],
    [next, own],
  ]) {
    it(`gateway "${gateways}" and node "${nodes}": answered by the engine there is, under its name`, async () => {
      await start('engine node', nodes);
      const gateway = await start('engine gateway', gateways);
      assert.deepEqual(await ask(gateway, upTo(100)), [nodes]);
      assert.deepEqual(await kept(upTo(100)), [nodes]);
      await start('engine node', gateways);
      // The nodes read the list of nodes once a second.
      await until('the right engine', async () => {
        const engines = await ask(gateway, upTo(100));
        assert.ok(engines.every((engine) => [gateways, nodes].includes(engine)));
        return engines.length === 1 && engines[0] === gateways;
      });
    });
  }

  it('wait for a busy node of the right engine without being passed about for ever', async () => {
    const [busy] = await Promise.all([start('engine node', own), start('engine node', next)]);
    const gateway = await start('engine gateway', own);
    const first = ask(gateway, [-1]);
    await until('a busy node', () => busy.reports.includes('keeps -1'));
    const second = await start('engine gateway', own);
    const answer = ask(second, [7]);
    const queue = new Queue<RequestBatch>('analysis', { connection: redis });
    const returned = () =>
      until('the batch to wait', async () => (await queue.getDelayed())[0]?.data.returned);
    await until('a few returns', async () => (await returned()) >= 6, 60_000);
    const counted = { at: performance.now(), returned: await returned() };
    await until('two seconds', () => performance.now() - counted.at > 2_000);
    const more = (await returned()) - counted.returned;
    const most = 1 + (performance.now() - counted.at) / 1_000;
    assert.ok(more <= most, `${more} returns, at most about one a second: ${most}`);
    busy.process.send('go');
    assert.deepEqual([await first, await answer], [[own], [own]]);
    assert.deepEqual(await kept([-1, 7]), [own]);
    await queue.close();
  });

  it('are answered by the other engine when the last node of the right one dies', async () => {
    const [dying] = await Promise.all([start('engine node', own), start('engine node', next)]);
    const gateway = await start('engine gateway', own);
    assert.deepEqual(await ask(gateway, [1]), [own]);
    // An answer comes before its batch has ended: a node that dies between would leave the batch to the other one.
    const queue = new Queue<RequestBatch>('analysis', { connection: redis });
    await until('the batch to have ended', async () => (await queue.getActiveCount()) === 0);
    await queue.close();
    await dying.kill();
    assert.deepEqual(await ask(gateway, [2]), [next]);
    assert.deepEqual([await kept([1]), await kept([2])], [[own], [next]]);
  });
});
