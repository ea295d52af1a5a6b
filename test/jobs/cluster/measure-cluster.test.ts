import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { noteBackup } from '../../../storage/backup/last-backup.js';
import { DeadLetters } from '../../../storage/cluster/dead-letters.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { connected, failFast, openRedis } from '../../../storage/servers/redis.js';
import { dueNever } from '../../../storage/signals/step-fault.js';
import { RoleChild } from '../../support/process/role-child.js';
import { until } from '../../support/process/until.js';
import { Scrape } from '../../support/servers/scrape.js';
import { freshMongodbUrl, freshRedisUrl } from '../../support/servers/servers.js';

const ofCluster = [
  'tidemark_nodes',
  'tidemark_dead_jobs',
  'tidemark_due_executions',
  'tidemark_backup_age_seconds',
];

describe('the metrics of the cluster', () => {
  let redis: Redis;
  let mongo: Mongo;
  let env: Record<string, string>;
  const roles: RoleChild[] = [];

  before(async () => {
    const mongodbUrl = await freshMongodbUrl();
    const redisUrl = await freshRedisUrl();
    env = { REDIS_URL: redisUrl, MONGODB_URL: mongodbUrl, MARKET: 'csv', METRICS_PORT: '0' };
    redis = openRedis(redisUrl, failFast);
    await connected(redis);
    mongo = openMongo(mongodbUrl, { timeoutMs: 20_000 });
  });
  after(async () => {
    await Promise.all(roles.map((role) => role.kill()));
    redis.disconnect();
    await mongo.close();
  });

  const scrape = async ({ facts }: RoleChild) => new Scrape(await (await fetch(facts.metricsUrl)).text());
  const reported = (found: Scrape) =>
    ofCluster.filter((name) => found.samples.some((each) => each.name === name));

  it('come from one market worker alone, and from the next one when that ends', async () => {
    roles.push(await RoleChild.start('market', env));
    roles.push(await RoleChild.start('market', env));
    const [first, second] = roles;
    await noteBackup(redis, new Date(Date.now() - 100_000).toISOString());
    const error = { code: 'unexpected' as const, message: 'a fault', stack: null };
    const letter = {
      id: 'one',
      queue: 'scan',
      name: 'x',
      payload: {},
      error,
      traceId: 't',
      attempts: 1,
      node: 'n',
    };
    await new DeadLetters(redis).add(letter);
    const rows = [new Date(Date.now() - 40_000), new Date(Date.now() - 1_000), dueNever, null];
    await mongo.db
      .collection<{ _id: string }>('executions')
      .insertMany(rows.map((dueAt, n) => ({ _id: `row-${n}`, dueAt })));

    const found = await until('two market workers', async () => {
      const seen = await scrape(first);
      return seen.sum('tidemark_nodes', { role: 'market' }) === 2 && seen;
    });
    assert.deepEqual(reported(found), ofCluster);
    assert.equal(found.sum('tidemark_nodes'), 2);
    assert.equal(found.sum('tidemark_dead_jobs', { queue: 'scan' }), 1);
    assert.equal(found.sum('tidemark_dead_jobs'), 1);
    assert.equal(found.sum('tidemark_due_executions'), 2);
    assert.equal(found.sum('tidemark_failed_steps'), 1);
    assert.equal(found.sum('tidemark_mails_waiting'), 0);
    assert.ok(found.sum('tidemark_due_age_seconds') >= 40);
    assert.ok(found.sum('tidemark_backup_age_seconds') >= 100);
    assert.deepEqual(found.values('tidemark_server_up', 'server'), ['mongodb', 'redis']);
    assert.equal(found.sum('tidemark_server_up'), 2);
    assert.deepEqual(found.values('tidemark_build_info', 'role'), ['market']);
    assert.deepEqual(reported(await scrape(second)), []);

    await first.stop();
    const next = await until('the next one', async () => {
      const seen = await scrape(second);
      return reported(seen).length > 0 && seen;
    });
    assert.equal(next.sum('tidemark_nodes', { role: 'market' }), 1);
  });
});
