import assert from 'node:assert/strict';
import { Leases, type LeaseStore } from '../../../storage/servers/leases.js';
import { MongoLeaseStore } from '../../../storage/servers/mongo-lease-store.js';
import { RedisLeaseStore } from '../../../storage/servers/redis-lease-store.js';
import { until } from '../../support/process/until.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('a lease', () => {
  const redis = temporaryRedis();
  const storage = temporaryStorage();
  const stores: Record<string, () => LeaseStore> = {
    Redis: () => new RedisLeaseStore(redis.redis, 'tidemark:test-lease:'),
    MongoDB: () => new MongoLeaseStore(storage.db),
  };

  for (const [name, open] of Object.entries(stores)) {
    describe(`in ${name}`, () => {
      const times = { leaseMs: 2_000, renewMs: 20 };
      const leases = () => new Leases(open(), times);

      it('has one holder at a time', async () => {
        const first = (await leases().take('one'))!;
        assert.equal(await leases().take('one'), null);
        await first.release();
        const second = (await leases().take('one'))!;
        assert.equal(second.signal.aborted, false);
        await second.release();
      });

      it('is taken over by a holder of the same owner, and the signal of the earlier one is aborted', async () => {
        const first = (await leases().take('owned', 'job'))!;
        assert.equal(await leases().take('owned', 'jo'), null);
        assert.equal(await leases().take('owned'), null);
        const second = (await leases().take('owned', 'job'))!;
        await until('the first to lose it', () => first.signal.aborted);
        await first.release();
        assert.equal(await leases().take('owned', 'other job'), null);
        await second.release();
        const third = (await leases().take('owned', 'other job'))!;
        await third.release();
        assert.equal(second.signal.aborted, false);
      });

      it('is free once its time is over without a renewal', async () => {
        const dead = { id: 'dead', owner: 'nowhere' };
        assert.ok(await open().take('expiring', dead, 50));
        const taken = await leases().hold('expiring', async () => 'taken');
        assert.equal(taken, 'taken');
      });

      it('lasts longer than its time while it is renewed', async () => {
        const short = new Leases(open(), { leaseMs: 200, renewMs: 20 });
        const lease = (await short.take('renewed'))!;
        const endAt = Date.now() + 500;
        await until('several lease times to pass', async () => {
          assert.equal(await short.take('renewed'), null);
          return Date.now() > endAt;
        });
        assert.equal(lease.signal.aborted, false);
        await lease.release();
      });
    });
  }
});
