import assert from 'node:assert/strict';
import type { AppError } from '../../../compute/model/errors.js';
import { Leases } from '../../../storage/servers/leases.js';
import { RedisLeaseStore, type LeaseStore } from '../../../storage/servers/redis-lease-store.js';
import { MongoLeaseStore } from '../../../storage/servers/mongo-lease-store.js';
import { until } from '../../support/process/until.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

/** The methods of a store, to replace some of them. */
const bound = (store: LeaseStore): LeaseStore => ({
  take: (...args) => store.take(...args),
  renew: (...args) => store.renew(...args),
  release: (...args) => store.release(...args),
  dropAbandoned: (...args) => store.dropAbandoned(...args),
});

describe('a lease', () => {
  const redis = temporaryRedis();
  const storage = temporaryStorage();
  const stores: Record<string, () => LeaseStore> = {
    Redis: () => new RedisLeaseStore(redis.redis, 'tidemark:test-lease:'),
    MongoDB: () => new MongoLeaseStore(storage.db),
  };

  for (const [name, open] of Object.entries(stores)) {
    describe(`in ${name}`, () => {
      const times = { leaseMs: 10_000, renewMs: 20 };
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

      it('is kept by the clock of the server, however wrong those of the holders are', async () => {
        const { now } = Date;
        try {
          for (const aheadMs of [16_000, 61_000, -16_000, -61_000]) {
            const name = `clock ${aheadMs}`;
            Date.now = now;
            const lease = (await leases().take(name))!;
            Date.now = () => now() + aheadMs;
            assert.equal(await leases().take(name), null);
            await lease.confirm();
            await lease.release();
            const next = (await leases().take(name))!;
            Date.now = now;
            assert.equal(await leases().take(name), null);
            await next.release();
          }
        } finally {
          Date.now = now;
        }
      });

      it('has a higher token with each holder, and says whether it was released before', async () => {
        const first = (await leases().take('token'))!;
        await first.release();
        const second = (await leases().take('token'))!;
        await second.release();
        await open().take('token', { id: 'paused' }, 50);
        const third = await until('its end', () => leases().take('token'));
        assert.ok(second.token > first.token && third.token > second.token);
        assert.deepEqual(
          [first, second, third].map(({ tookOver }) => tookOver),
          [false, false, true],
        );
        assert.ok(first.token > Date.now() - 60_000, 'tokens grow even when those before are forgotten');
        await third.release();
      });

      it('is not renewed by a holder that released or lost it', async () => {
        const first = (await leases().take('lost', 'job'))!;
        const second = (await leases().take('lost', 'job'))!;
        await assert.rejects(first.confirm(), { code: 'lease_lost' });
        assert.equal((first.signal.reason as AppError).code, 'lease_lost');
        await first.release();
        await second.confirm();
        await second.release();
        assert.equal(await open().renew('lost', { id: 'gone', owner: 'job' }, 1_000), false);
      });

      it('counts as lost when it was not renewed in time, without an answer of the server', async () => {
        const away = { ...bound(open()), renew: () => Promise.reject(new Error('away')) };
        const lease = (await new Leases(away, { leaseMs: 100, renewMs: 20 }).take('unreachable'))!;
        await until('the loss', () => lease.signal.aborted);
        await assert.rejects(lease.confirm(), { code: 'lease_lost' });
        await lease.release();
      });

      it('lasts longer than its time while it is renewed', async () => {
        // Longer than a machine may hold a process up.
        const short = new Leases(open(), { leaseMs: 3_500, renewMs: 200 });
        const lease = (await short.take('renewed'))!;
        const endAt = Date.now() + 7_500;
        await until('two lease times to pass', async () => {
          assert.equal(await short.take('renewed'), null);
          return Date.now() > endAt;
        });
        assert.equal(lease.signal.aborted, false);
        await lease.release();
      });
    });
  }
});
