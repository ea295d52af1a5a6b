import assert from 'node:assert/strict';
import type { ScheduleView } from '../../../jobs/cluster/cluster.js';
import { schedules } from '../../../jobs/schedules/index.js';
import { DeadLetters, type DeadLetter } from '../../../storage/cluster/dead-letters.js';
import { listNodes, type SeenNode } from '../../../storage/cluster/nodes.js';
import { adminCommands } from './run-admin.js';
import { openTestMarket, type TestMarket } from '../../support/candles/market.js';
import { RoleChild } from '../../support/process/role-child.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { until } from '../../support/process/until.js';

describe('admin of jobs and nodes', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const runCommand = adminCommands();
  let market: TestMarket;
  let worker: RoleChild;
  let env: Record<string, string>;

  before(async () => {
    market = await openTestMarket();
    const { redisUrl, mongodbUrl } = market.service;
    env = { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl, MARKET: 'csv' };
    worker = await RoleChild.start('market', env);
  });
  after(async () => {
    await worker.kill();
    await market.service.close();
  });
  const admin = (...args: string[]) => runCommand(args, { folder: folder.path, env });
  const json = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await admin(...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as T;
  };
  const views = () => json<ScheduleView[]>('jobs', 'schedules');

  it('lists the schedules that the market worker has set up, and how they ended', async () => {
    await until('the first runs', async () =>
      (await views()).every(({ lastRun }) => lastRun?.outcome === 'done'),
    );
    const found = await views();
    assert.deepEqual(
      found.map(({ name, pattern }) => [name, pattern]),
      schedules.map(({ name, pattern }) => [name, pattern]),
    );
    for (const { nextRunAt, lastRun } of found) {
      assert.ok(nextRunAt! > lastRun!.startedAt);
      assert.ok(lastRun!.node.endsWith(`:${worker.process.pid}`));
    }
    const { stdout } = await admin('jobs', 'schedules');
    assert.match(
      stdout,
      /^name +pattern \(UTC\) +last run +ended +next run +note\ncalibrate-risk .*\ncheck-market +30 2-59\/5 /,
    );
    assert.match(stdout, /\ncheck-market .* done .* 4 pairs imported\n/);
  });

  it('runs a schedule now', async () => {
    const { code, stdout } = await admin('jobs', 'run', '--name', 'refresh-core-lines');
    assert.equal(code, 0);
    assert.match(stdout, /^"refresh-core-lines" done in \d+ ms on \S+: 0 of \d+ core lines computed\n$/);
    const { stderr } = await admin('jobs', 'run', '--name', 'nope');
    assert.match(
      stderr,
      /^error: the schedule must be one of calibrate-risk, check-market, .* found "nope"\n$/,
    );
  });

  it('lists the processes', async () => {
    const nodes = await json<SeenNode[]>('nodes');
    assert.deepEqual(
      nodes.map(({ role, pid, lost }) => [role, pid, lost]),
      [
        ['compute', process.pid, false],
        ['market', worker.process.pid, false],
      ],
    );
    await until('idle threads', async () => (await admin('nodes')).stdout.includes(' 0+0 '));
    const { stdout } = await admin('nodes');
    assert.match(
      stdout,
      /^role +state +host .*\ncompute +alive .* 1\+1 +0\+0 .* analysis,backtest,scan,signals,market\nmarket +alive .* exchanges,schedules\n$/,
    );
    const away = { ...env, MONGODB_URL: 'mongodb://127.0.0.1:1/x' };
    const first = await runCommand(['nodes'], { folder: folder.path, env: away });
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /\ncompute +alive .*\nmarket +alive .*\n$/);
  });

  it('lists, retries and drops dead jobs', async () => {
    const letters = new DeadLetters(market.service.deps.redis);
    const { digest } = (await market.service.storage.series.find(key))!;
    const failure = (id: string, base: string) => ({
      id,
      queue: 'analysis',
      name: 'core-line',
      payload: { key: { ...key, base }, digest },
      error: { code: 'thread_failed', message: 'a thread\nfailed', stack: 'at x' } as const,
      traceId: 't',
      attempts: 2,
      node: 'host:1',
    });
    for (const [id, base] of [
      ['aa', 'BTC'],
      ['bb', 'NOPE'],
      ['cc', 'NOPE'],
    ])
      await letters.add(failure(id, base));
    const { stdout } = await admin('jobs', 'dead', '--queue', 'analysis');
    assert.match(stdout, /^id +queue +job .*\n/);
    assert.match(stdout, /\naa +analysis +core-line +thread_failed +a thread failed +1 +2 +host:1 /);
    const all = await json<DeadLetter[]>('jobs', 'dead');
    assert.deepEqual(all.map(({ id, error }) => [id, error.stack]).sort()[0], ['aa', 'at x']);
    assert.equal((await admin('jobs', 'dead', '--queue', 'scan')).stdout, 'there are no dead jobs\n');

    assert.match(
      (await admin('jobs', 'retry', '--id', 'aa')).stdout,
      /^"core-line" succeeded \(trace retry-/,
    );
    const again = await admin('jobs', 'retry', '--id', 'bb');
    assert.deepEqual([again.code, again.stderr], [1, 'error: no candles of "csv:NOPE/USDT:1d" are stored\n']);
    assert.equal((await admin('jobs', 'drop', '--id', 'bb')).stdout, 'dead jobs deleted: 1\n');
    assert.equal((await admin('jobs', 'drop', '--id', 'bb')).stderr, 'error: there is no dead letter "bb"\n');
    assert.equal((await admin('jobs', 'drop', '--id', 'all')).stdout, 'dead jobs deleted: 1\n');
    assert.deepEqual(await letters.list(), []);
  });

  it('says that no process takes schedules', async () => {
    assert.equal(await worker.stop(), 0);
    const { redis } = market.service.deps;
    assert.deepEqual(
      (await listNodes(redis)).map(({ role }) => role),
      ['compute'],
    );
    const { code, stderr } = await admin('jobs', 'run', '--name', 'clean-up');
    assert.deepEqual(
      [code, stderr],
      [1, 'error: no process is alive that takes from queue "schedules"; start one with npm run market\n'],
    );
  });
});

const key = { market: 'csv', base: 'BTC', quote: 'USDT', interval: '1d' } as const;
