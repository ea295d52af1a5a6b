import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { RequestBatch } from '../../jobs/requests/wire.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import type { EngineAnswer } from '../support/jobs/engine-job.js';
import { RoleChild } from '../support/process/role-child.js';
import { until } from '../support/process/until.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';
import { projectRoot } from '../support/harness/paths.js';

/**
 * Copies the compiled service into the folder as a release that has another engine. Returns the URL that stands for that of
 * `role-child.js` there.
 */
async function otherRelease(folder: string, engine: string): Promise<URL> {
  const dist = join(folder, 'dist');
  await mkdir(dist, { recursive: true });
  for (const part of ['compute', 'storage', 'jobs', 'gateway', 'test/support'])
    await cp(join(projectRoot, 'dist', part), join(dist, part), { recursive: true });
  await cp(join(projectRoot, 'dist/package.json'), join(dist, 'package.json'));
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const path = join(dist, 'compute/model/engine-version.js');
  const text = await readFile(path, 'utf8');
  const changed = text.replace(/engineVersion = '[^']*'/, `engineVersion = '${engine}'`);
  if (changed === text) throw new Error('engine-version.js names no engine');
  await writeFile(path, changed);
  return pathToFileURL(join(dist, 'test/support/process/role-child.js'));
}

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
  /** One of each engine, over the whole file; nodes come and go. */
  let gateways: Record<string, RoleChild>;
  const nodes: Record<string, RoleChild> = {};
  const roles: RoleChild[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-releases-'));
    releases = {
      [own]: undefined,
      [next]: await otherRelease(join(folder, 'next'), next),
    };
    redisUrl = await freshRedisUrl();
    redis = openRedis(redisUrl, patient);
    await connected(redis);
    const started = await Promise.all([start('engine gateway', own), start('engine gateway', next)]);
    gateways = { [own]: started[0], [next]: started[1] };
  });
  after(async () => {
    redis?.disconnect();
    await Promise.all(roles.map((role) => role.kill()));
    await rm(folder, { recursive: true, force: true });
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
    await until('the answers', () => gateway.reports.length > length);
    const answers = JSON.parse(gateway.reports[length]) as EngineAnswer[];
    assert.deepEqual(
      answers.map(({ n }) => n),
      numbers,
    );
    return [...new Set(answers.map(({ engine }) => engine))];
  };
  /** Numbers that were not asked yet. */
  let asked = 0;
  const more = (count: number) => Array.from({ length: count }, () => asked++);
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

  for (const [gateway, only] of [
    [own, next],
    [next, own],
  ]) {
    it(`gateway "${gateway}" and node "${only}": answered by the engine there is, under its name`, async () => {
      // In the second round both nodes are there, and the one of the right engine dies.
      if (nodes[gateway]) {
        const last = more(1);
        assert.deepEqual(await ask(gateways[gateway], last), [gateway]);
        assert.deepEqual(await kept(last), [gateway]);
        // An answer comes before its batch has ended: a node that dies between would leave the batch to the other one.
        const queue = new Queue<RequestBatch>('analysis', { connection: redis });
        await until('the batch to have ended', async () => (await queue.getActiveCount()) === 0);
        await queue.close();
        await nodes[gateway].kill();
      } else nodes[only] = await start('engine node', only);
      const numbers = more(100);
      assert.deepEqual(await ask(gateways[gateway], numbers), [only]);
      assert.deepEqual(await kept(numbers), [only]);
      nodes[gateway] = await start('engine node', gateway);
      // The nodes read the list of nodes once a second.
      await until('the right engine', async () => {
        const engines = await ask(gateways[gateway], numbers);
        assert.ok(engines.every((engine) => [gateway, only].includes(engine)));
        return engines.length === 1 && engines[0] === gateway;
      });
    });
  }

  it('answer each gateway by its own engine, and keep no result under the name of the other', async () => {
    // Gateways that have seen a node die refuse for a while what so slow a node would answer too late.
    const [one, other] = await Promise.all([start('engine gateway', own), start('engine gateway', next)]);
    for (let round = 0; round < 3; round++) {
      const numbers = more(200);
      const answered = await Promise.all([ask(one, numbers), ask(other, numbers)]);
      assert.deepEqual(answered, [[own], [next]]);
      assert.deepEqual(await kept(numbers), [own, next]);
    }
  });

  it('wait a while for a busy node of the right engine, without being passed about for ever', async () => {
    const first = ask(gateways[own], [-1]);
    await until('a busy node', () => nodes[own].reports.includes('keeps -1'));
    const second = await start('engine gateway', own);
    // Nobody waits in vain: after a sixth of its limit the other engine answers, under its own name.
    const late = more(1);
    assert.deepEqual(await ask(second, late), [next]);
    assert.deepEqual(await kept(late), [next]);
    const [number] = more(1);
    const answer = ask(second, [number]);
    const queue = new Queue<RequestBatch>('analysis', { connection: redis });
    const returned = () =>
      until('the batch to wait', async () => (await queue.getDelayed())[0]?.data.returned);
    await until('a few returns', async () => (await returned()) >= 6);
    const counted = { at: performance.now(), returned: await returned() };
    await until('two seconds', () => performance.now() - counted.at > 2_000);
    const since = (await returned()) - counted.returned;
    const most = 1 + (performance.now() - counted.at) / 1_000;
    assert.ok(since <= most, `${since} returns, at most about one a second: ${most}`);
    nodes[own].process.send('go');
    assert.deepEqual([await first, await answer], [[own], [own]]);
    assert.deepEqual(await kept([-1, number]), [own]);
    await queue.close();
  });
});
