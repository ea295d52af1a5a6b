import assert from 'node:assert/strict';
import { PaperVenue } from '../../storage/exchanges/paper/paper-venue.js';
import { listNodes } from '../../storage/cluster/nodes.js';
import { parsePair } from '../../compute/model/market-pair.js';
import type { Execution } from '../../compute/signals/execution.js';
import { RoleChild } from '../support/process/role-child.js';
import { until } from '../support/process/until.js';
import { EngineRig } from '../support/signals/engine-rig.js';
import { temporaryStorage } from '../support/servers/temporary-storage.js';

const count = 120;

describe('signals workers that are killed', function () {
  this.timeout(150_000);
  const temporary = temporaryStorage();
  let rig: EngineRig;
  const workers: RoleChild[] = [];
  after(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await rig.close();
  });

  const startWorker = async () => {
    const env = { MARKET: 'demo', REDIS_URL: rig.redisUrl, MONGODB_URL: temporary.url };
    const worker = await RoleChild.start('signals', env);
    workers.push(worker);
    return worker;
  };

  it('leave no order twice and none out: each is on the paper exchange once, and bought, and sold by a cancel', async () => {
    rig = await EngineRig.open(temporary, '105', 'demo');
    const partner = 'killed';
    await rig.subscribeAll(
      `channel of ${partner}`,
      Array.from({ length: count }, (_, n) => `user ${n}`),
    );
    const first = await startWorker();
    assert.ok(
      (await listNodes(rig.redis)).some(
        ({ role, queues }) => role === 'signals' && queues.includes('signal-work'),
      ),
    );
    const signal = await rig.signal(partner);
    await until('the first executions', async () => (await rig.countOf(signal.id)) > 0);
    await first.kill();
    const second = await startWorker();
    const all = (status: Execution['status']) => async () =>
      (await rig.countOf(signal.id, { status })) === count && (await rig.countOf(signal.id)) === count;
    await rig.tickUntil('105', async () => (await rig.countOf(signal.id, { status: 'open' })) > 0);
    await second.kill();
    await startWorker();
    await rig.tickUntil('105', all('open'), 100_000);
    await rig.command(signal, { type: 'cancel' });
    await rig.tickUntil('106', all('cancelled'), 100_000);
    const { storage, redis } = rig;
    const venue = new PaperVenue({ storage, redis, startingBalance: '10000' });
    for (const { userId, orders, pair } of await rig.executionsOf(signal.id)) {
      assert.deepEqual(
        orders.map(({ leg, status }) => [leg, status]),
        [
          ['entry-1', 'filled'],
          ['close', 'filled'],
        ],
      );
      const refs = orders.map(({ clientOrderId }) => ({
        userId,
        pair: parsePair(pair)!,
        account: 'SPOT' as const,
        clientOrderId,
      }));
      const known = await venue.find(refs);
      assert.deepEqual(
        known.map((state) => [state?.status, String(state?.filled)]),
        orders.map(({ status, filled }) => [status, filled]),
      );
      assert.deepEqual(await venue.openOrders(userId), []);
    }
    const entries = await temporary.db
      .collection('paper_orders')
      .countDocuments({ side: 'buy', seq: { $gt: 0 } });
    assert.equal(entries, count);
  });
});
