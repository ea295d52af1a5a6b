import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { measureCluster } from '../../jobs/cluster/measure-cluster.js';
import { announceNode, nodeName } from '../../storage/cluster/nodes.js';
import { ScheduleRuns } from '../../storage/cluster/schedule-runs.js';
import { Metrics } from '../../storage/process/metrics.js';
import { connected, failFast, openRedis } from '../../storage/servers/redis.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { openDeployment, type Deployment } from '../support/gateway/deployment.js';
import { projectRoot } from '../support/harness/paths.js';
import { skip } from '../support/harness/skip.js';
import { RoleChild } from '../support/process/role-child.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';
import { until } from '../support/process/until.js';
import { OwnServer } from '../support/servers/own-server.js';
import { Scrape } from '../support/servers/scrape.js';
import { freshRedisUrl } from '../support/servers/servers.js';
import { temporaryStorage } from '../support/servers/temporary-storage.js';

const hourMs = 3_600_000;

describe('alerts on what the service itself reports', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' });
  before(function () {
    if (promtool('--version').status !== 0) skip(this, 'no promtool: install prometheus');
  });

  /** The alerts that fire where half an hour goes on like the minute between two scrapes, as promtool finds them. */
  function firing(before: Scrape, after: Scrape): { alertname: string }[] {
    const keyOf = ({ name, labels }: Scrape['samples'][number]) =>
      `${name}{${Object.entries(labels)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join()}}`;
    const first = new Map(before.samples.map((sample) => [keyOf(sample), sample.value]));
    const series = after.samples.map((sample) => {
      const at = first.get(keyOf(sample)) ?? 0;
      const isCounted = after.types.get(sample.name) !== 'gauge';
      return {
        series: keyOf(sample),
        values: isCounted ? `${at}+${sample.value - at}x30` : `${sample.value}x30`,
      };
    });
    // Expects no alert, so that promtool says which there are.
    const expected = { expr: 'ALERTS{alertstate="firing"}', eval_time: '29m', exp_samples: [] };
    const tests = [{ interval: '1m', input_series: series, promql_expr_test: [expected] }];
    const rules = join(projectRoot, 'deploy/prometheus/rules.yaml');
    const path = join(folder.path, 'alerts.yaml');
    writeFileSync(path, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    const { stdout, stderr } = promtool('test', 'rules', path);
    const found = [...(stdout + stderr).matchAll(/\{(?:__name__="ALERTS", )?(alertname=[^{}]*)\} 1E\+00/g)];
    return found.map(
      ([, labels]) =>
        Object.fromEntries(
          [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
        ) as {
          alertname: string;
        },
    );
  }
  const named = (alerts: { alertname: string }[], name: string) =>
    alerts.filter(({ alertname }) => alertname === name);

  describe('at a gateway', () => {
    let mongodb: OwnServer;
    let deployment: Deployment;
    let node: RoleChild | undefined;
    const scrape = async () => {
      const answer = await fetch(deployment.gateway.facts.metricsUrl);
      return new Scrape(await answer.text());
    };
    before(async () => {
      mongodb = await OwnServer.open('mongodb');
      const servers = { redisUrl: await freshRedisUrl(), mongodbUrl: mongodb.url };
      deployment = await openDeployment({ ...servers, computeNodes: 0, env: { METRICS_PORT: '0' } });
    });
    after(async () => {
      await node?.kill();
      await deployment?.close();
      await mongodb?.close();
    });

    it('QueueWait, when a request waited too long for a node; Errors, when MongoDB is away', async () => {
      const quiet = await scrape();
      const askedAt = Date.now();
      const asked = deployment.chart();
      await until('a wait that is too long', () => Date.now() - askedAt > 2_600);
      node = await RoleChild.start('compute', deployment.env);
      assert.equal((await asked).status, 200);
      const waited = await scrape();
      const late = named(firing(quiet, waited), 'TidemarkQueueWait');
      assert.deepEqual(late, [
        { alertname: 'TidemarkQueueWait', alertstate: 'firing', queue: 'analysis', severity: 'warning' },
      ]);
      assert.deepEqual(named(firing(quiet, waited), 'TidemarkErrors'), []);

      await mongodb.kill();
      await until('refusals', async () => (await deployment.signIn()).status === 503);
      const refused = firing(waited, await scrape());
      assert.equal(named(refused, 'TidemarkErrors').length, 1);
      assert.deepEqual(named(refused, 'TidemarkQueueWait'), []);
    });
  });

  describe('at a market worker', () => {
    const stored = temporaryStorage();
    let redis: Redis;
    let worker: { stop(): Promise<void> };
    before(async () => {
      redis = openRedis(await freshRedisUrl(), failFast);
      await connected(redis);
      worker = announceNode(redis, 'market', () => ({ threads: null, busy: null, running: 0 }));
    });
    after(async () => {
      await worker?.stop();
      redis?.disconnect();
    });

    it('CandlesLate, when the market has stood still; ScheduleLate, when a schedule did not run', async () => {
      const metrics = new Metrics();
      measureCluster(metrics, { redis, storage: stored.storage, market: 'binance' });
      const scrape = async () => new Scrape(await metrics.registry.metrics());
      const add = async (base: string, agoMs: number) => {
        const startMs = Math.floor((Date.now() - agoMs) / hourMs) * hourMs - 9 * hourMs;
        const pair = { market: 'binance', base, quote: 'USDT' };
        await stored.storage.candles.add(pair, randomCandles(10, { startMs }));
      };
      const run = (agoMs: number, token: number) => {
        const startedAt = new Date(Date.now() - agoMs).toISOString();
        const times = { dueAt: startedAt, startedAt, endedAt: startedAt };
        const what = { name: 'clean-up', jobId: '1', outcome: 'done' as const, note: '' };
        return new ScheduleRuns(redis).put({ ...what, ...times, node: nodeName(), attempt: 1 }, token);
      };
      await until('the heartbeat', async () =>
        (await scrape()).samples.some(({ name }) => name === 'tidemark_nodes'),
      );
      await add('BTC', hourMs);
      await run(25 * hourMs, 1);
      const names = async () => {
        const now = await scrape();
        return firing(now, now)
          .map(({ alertname }) => alertname)
          .filter((name) => name.endsWith('Late'));
      };
      assert.deepEqual(await names(), []);
      await add('ETH', 3 * hourMs);
      await add('SOL', 3 * hourMs);
      await run(27 * hourMs, 2);
      assert.deepEqual(await names(), ['TidemarkCandlesLate', 'TidemarkScheduleLate']);
    });
  });
});
