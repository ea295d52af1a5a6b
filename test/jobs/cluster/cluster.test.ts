import assert from 'node:assert/strict';
import { shownQueues } from '../../../jobs/cluster/cluster-queues.js';
import { Cluster } from '../../../jobs/cluster/cluster.js';
import { connected, failFast, openRedis } from '../../../storage/servers/redis.js';
import { OwnServer } from '../../support/servers/own-server.js';

const nobody = { others: [], run: () => Promise.reject(new Error('nothing is to be run')) };

describe('the view of a cluster', function () {
  this.timeout(30_000);
  let server: OwnServer;
  before(async () => (server = await OwnServer.open('redis')));
  after(() => server.close());

  it('is there again once Redis answers, also where it did not when the queues were opened', async () => {
    const redis = openRedis(server.url, failFast);
    await connected(redis);
    const cluster = new Cluster(redis, nobody);
    server.freeze();
    await assert.rejects(cluster.view(), { code: 'redis_unavailable' });
    await assert.rejects(cluster.schedules(), { code: 'redis_unavailable' });
    server.thaw();
    const { queues } = await cluster.view();
    assert.equal(queues.length, shownQueues.length);
    assert.ok((await cluster.schedules()).length > 0);
    await cluster.close();
    redis.disconnect();
  });
});
