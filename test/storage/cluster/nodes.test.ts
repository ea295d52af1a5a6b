import assert from 'node:assert/strict';
import { engineVersion } from '../../../compute/model/engine-version.js';
import { announceNode, listNodes, type NodeRole } from '../../../storage/cluster/nodes.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { until } from '../../support/process/until.js';
import { within } from '../../support/process/within.js';

const queues = ['analysis', 'backtest', 'scan', 'signals', 'market'];
const work = {
  threads: { interactive: 2, background: 2 },
  busy: { interactive: 1, background: 0 },
  running: 3,
};

type NodeAsTold = [role: NodeRole, queues?: readonly string[]];

describe('nodes', () => {
  const context = temporaryRedis();
  const announced: { stop(): Promise<void> }[] = [];
  const announce = (...[role, ...rest]: NodeAsTold): { stop(): Promise<void> } => {
    const node = announceNode(context.redis, role, () => work, ...rest);
    announced.push(node);
    return node;
  };
  // One that a failed test left would hold the process open.
  afterEach(async () => {
    await Promise.all(announced.splice(0).map((node) => node.stop()));
    await context.redis.del('tidemark:nodes');
  });

  /** Makes the heartbeats of all nodes look `ms` older. */
  async function age(ms: number): Promise<void> {
    for (const [id, text] of Object.entries(await context.redis.hgetall('tidemark:nodes'))) {
      const [, at, rest] = /^(\d+)( .*)$/.exec(text)!;
      await context.redis.hset('tidemark:nodes', id, `${Number(at) - ms}${rest}`);
    }
  }

  it('report their identity, work and load', async () => {
    const node = announce('compute');
    const [seen] = await until('the node', async () => {
      const nodes = await listNodes(context.redis);
      return nodes.length > 0 && nodes;
    });
    const { id, host, version, startedAt, lastHeartbeat, load, ...rest } = seen;
    assert.deepEqual(rest, {
      ...work,
      role: 'compute',
      queues,
      pid: process.pid,
      engine: engineVersion,
      lost: false,
    });
    assert.ok(id.length === 36 && host.length > 0 && /^\d+\.\d+\.\d+$/.test(version));
    for (const time of [startedAt, lastHeartbeat])
      assert.ok(Math.abs(Date.now() - Date.parse(time)) < 60_000);
    assert.ok(load.cpu >= 0 && load.eventLoop >= 0 && load.eventLoop <= 1);
    await node.stop();
  });

  it('are gone at once when they say goodbye', async () => {
    const node = announce('gateway');
    await until('the node', async () => (await listNodes(context.redis)).length === 1);
    await node.stop();
    assert.deepEqual(await listNodes(context.redis), []);
  });

  it('say goodbye for good, even in the middle of a heartbeat', async () => {
    for (let n = 0; n < 20; n++) await announce('market').stop();
    assert.deepEqual(await listNodes(context.redis), []);
  });

  it('are lost when they are silent for 6 s, for a minute, and come back with their next word', async () => {
    const node = announce('compute');
    const lost = async () => (await listNodes(context.redis)).map((each) => each.lost);
    await until('the node', async () => (await lost()).length === 1);
    await age(3_900);
    assert.deepEqual(await lost(), [false]);
    await age(2_200);
    assert.deepEqual(await lost(), [true]);
    await until('the next heartbeat', async () => (await lost())[0] === false);
    await age(66_100);
    assert.deepEqual(await lost(), []);
    await node.stop();
  });

  it('report the queues they serve', async () => {
    announce('compute', ['scan']);
    announce('market');
    announce('gateway');
    const all = () => listNodes(context.redis);
    await until('the nodes', async () => (await all()).length === 3);
    assert.deepEqual(
      (await all()).map((node) => node.queues),
      [['scan'], [], ['exchanges', 'schedules']],
    );
  });

  for (const [what, act] of [
    ['is gone', (server: OwnServer) => server.kill()],
    ['does not answer', (server: OwnServer) => server.freeze()],
  ] as const)
    it(`end where Redis ${what}, and have had one word on its way`, async () => {
      const server = await OwnServer.open('redis');
      const redis = openRedis(server.url, patient);
      await connected(redis);
      let told = 0;
      const node = announceNode(redis, 'compute', () => (told++, work));
      try {
        await until('the node', async () => (await listNodes(redis)).length === 1);
        await act(server);
        const [before, awayFrom] = [told, performance.now()];
        await until('two words to be due', () => performance.now() - awayFrom > 4_100);
        assert.ok(told <= before + 1, `${told - before} words`);
        // Redis stays away: it is not waited for.
        await within('the end', node.stop());
      } finally {
        redis.disconnect();
        server.thaw();
        await server.close();
      }
    });

  it('forget those that are long gone', async () => {
    await context.redis.hset('tidemark:nodes', 'old', `1 {}`);
    const node = announce('compute');
    await until('the node', async () => (await listNodes(context.redis)).length === 1);
    assert.equal(await context.redis.hlen('tidemark:nodes'), 1);
    await node.stop();
  });
});
