import assert from 'node:assert/strict';
import { AppError } from '../../../../compute/model/errors.js';
import { Reconciler, type ReconcilerOptions } from '../../../../jobs/signals/reconcile/reconciler.js';
import type { TradingVenue } from '../../../../storage/exchanges/trading-venue.js';
import { until } from '../../../support/process/until.js';

describe('Reconciler', () => {
  it('compares the other accounts after one that fails by a fault of the code, and that one in the next round', async () => {
    const compared: string[] = [];
    const again: [string, number][] = [];
    const warned: unknown[] = [];
    const executions = {
      openUsers: () => Promise.resolve(['ada', 'bob']),
      isolatedUsers: () => Promise.resolve([]),
      openOf(userId: string) {
        compared.push(userId);
        return userId === 'ada' ? Promise.reject(new TypeError('a fault of the code')) : Promise.resolve([]);
      },
    };
    const reconciler = new Reconciler({
      storage: {
        executions,
        subscriptions: { ofUser: () => Promise.resolve([]), pausedUsers: () => Promise.resolve([]) },
      },
      redis: {
        ...{ status: 'ready', evalsha: () => Promise.resolve(1) },
        pexpire: (key: string, ms: number) => Promise.resolve(again.push([key, ms])),
        smembers: () => Promise.resolve(['ada', 'bob']),
      },
      venues: [{ id: 'BINANCE', lateMs: 1 }],
      wake: () => Promise.resolve(),
      log: { warn: ({ userId }: { userId?: string }) => void warned.push(userId) },
      everyMs: 60_000,
    } as unknown as ReconcilerOptions);
    reconciler.start();
    await until('the second account', () => compared.includes('bob'));
    await reconciler.close();
    assert.deepEqual([compared, warned], [['ada', 'bob'], ['ada']]);
    assert.deepEqual(again, [['tidemark:reconciled:BINANCE:ada', 54_000]]);
  });

  it('lets what reduces a position pass while the account cannot be read, and nothing else', async () => {
    const refusal = new AppError('exchange_unavailable', 'the exchange answered 503');
    const reconciler = new Reconciler({
      storage: {
        executions: { openOf: () => Promise.reject(refusal) },
        subscriptions: { noteRead: () => Promise.resolve(0) },
      },
      redis: { status: 'ready', get: () => Promise.resolve(null), sismember: () => Promise.resolve(0) },
      venues: [],
    } as unknown as ReconcilerOptions);
    const venue = { id: 'BINANCE', lateMs: 1 } as unknown as TradingVenue;
    assert.equal(await reconciler.ready(venue, 'ada'), refusal.message);
    assert.equal(await reconciler.ready(venue, 'ada', { reduces: true }), null);
  });
});
