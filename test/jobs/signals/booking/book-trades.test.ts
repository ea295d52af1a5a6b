import assert from 'node:assert/strict';
import { pino } from 'pino';
import { bookTrades } from '../../../../jobs/signals/booking/book-trades.js';
import type { Storage } from '../../../../storage/index.js';
import type { BookedTrade } from '../../../../storage/ledger/booked-trade.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { cutWrites } from '../../../support/servers/cut-writes.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { endedExecution, filledOrder, storedFill } from '../../../support/signals/ended-execution.js';
import { newSignal } from '../../../support/signals/signal-terms.js';

describe('bookTrades', () => {
  const temporary = temporaryStorage();
  const redis = temporaryRedis();
  const log = pino({ level: 'silent' });
  const book = (storage: Storage = temporary.storage) =>
    bookTrades({ storage, prices: new Prices(redis.redis), log });
  const added = async (...executions: StoredExecution[]) => {
    await temporary.storage.executions.addAll(executions);
    return executions;
  };
  const tradesOf = (userId: string): Promise<BookedTrade[]> =>
    temporary.storage.trades.ofUser({ userId, limit: 10 });
  const stored = async (id: string) => (await temporary.storage.executions.ofIds([id]))[0];

  it('books what came of an execution once, and marks it', async () => {
    const signal = await temporary.storage.signals.add(newSignal('partner'));
    assert.ok(signal !== 'key_reused');
    const [execution] = await added(endedExecution({ signalId: signal.id }));
    assert.equal(await book(), 1);
    assert.equal(await book(), 0);
    const { id, userId, partnerId, channelId } = execution;
    assert.deepEqual(await tradesOf(userId), [
      {
        ...{ id, userId, partnerId, channelId, signalId: signal.id, exchange: 'PAPER' },
        ...{ asset: 'BTC', tradeMarket: 'USDT', side: 'long', leverage: 1, status: 'closed' },
        ...{ reason: 'everything is sold', profit: '10', days: [{ day: '2026-01-06', profit: '10' }] },
        ...{ fees: [], entered: '1', exited: '1', averageEntry: '100', averageExit: '110', invested: '100' },
        // The stop of the signal is 90.
        ...{
          returnPercent: 10,
          r: 1,
          entrySlippagePercent: 0,
          exitSlippagePercent: 0,
          deliverySlippagePercent: null,
          costPercent: 0,
          left: '0',
        },
        openedAt: new Date(Date.UTC(2026, 0, 5)),
        closedAt: new Date(Date.UTC(2026, 0, 6)),
        revision: 0,
      },
    ]);
    assert.equal((await stored(id)).bookAt, null);
  });

  it('loses and doubles nothing wherever it is cut off', async () => {
    let executions: StoredExecution[] = [];
    const writes = await cutWrites(temporary.url, {
      prepare: async () => void (executions = await added(endedExecution(), endedExecution({}, '90'))),
      work: (storage) => book(storage),
      check: async () => {
        await book();
        for (const [n, { id, userId }] of executions.entries()) {
          const trades = await tradesOf(userId);
          assert.deepEqual(
            trades.map(({ profit }) => profit),
            [['10', '-10'][n]],
          );
          assert.equal((await stored(id)).bookAt, null);
        }
      },
    });
    assert.ok(writes >= 3);
  });

  it('books an execution anew that goes on after it had ended, and never an older state over a newer', async () => {
    const [execution] = await added(endedExecution());
    await book();
    const late = filledOrder('sell', [storedFill({ quantity: '0.5', price: '200' })]);
    const later = { ...execution, revision: 1, orders: [execution.orders[0], late] };
    await temporary.storage.executions.writeAll([later]);
    await book();
    const [trade] = await tradesOf(execution.userId);
    assert.deepEqual([trade.profit, trade.left, trade.revision], ['50', '0.5', 1]);
    await temporary.storage.trades.book([{ ...trade, profit: '10', revision: 0 }]);
    assert.deepEqual(await tradesOf(execution.userId), [trade]);
  });

  it('books others beside one that cannot be read, and tries that one again later', async () => {
    const [broken, good] = await added(
      endedExecution({ pair: 'BTC', bookAt: new Date(1) }),
      endedExecution({ bookAt: new Date(2) }),
    );
    assert.equal(await book(), 2);
    assert.equal((await tradesOf(good.userId)).length, 1);
    assert.deepEqual(await tradesOf(broken.userId), []);
    assert.ok((await stored(broken.id)).bookAt!.getTime() > Date.now() + 3_000_000);
    assert.equal(await book(), 0);
  });

  it('books many executions in chunks', async () => {
    const userId = 'busy user';
    await added(...Array.from({ length: 250 }, () => endedExecution({ userId })));
    assert.deepEqual([await book(), await book(), await book(), await book()], [100, 100, 50, 0]);
    let count = 0;
    for await (const { profit } of temporary.storage.trades.profits(userId, new Date(0), 1_000))
      count += Number(profit);
    assert.equal(count, 2_500);
  });

  it('values a fee in another asset at its price, and counts it', async () => {
    const time = Date.now();
    const tick = { base: 'BNB', quote: 'USDT', price: 600, change24hPercent: null, time };
    await new Prices(redis.redis).put('with fees', [tick]);
    const bought = storedFill({ otherFees: [{ asset: 'BNB', amount: '0.001' }] });
    const sold = storedFill({ otherFees: [{ asset: 'KCS', amount: '2' }], price: '110' });
    const orders = [filledOrder('buy', [bought]), filledOrder('sell', [sold])];
    const [{ userId }] = await added(endedExecution({ market: 'with fees', orders }));
    await book();
    const [{ profit, fees }] = await tradesOf(userId);
    assert.equal(profit, '9.4');
    assert.deepEqual(fees, [
      { asset: 'BNB', amount: '0.001', value: '0.6' },
      { asset: 'KCS', amount: '2', value: null },
    ]);
  });

  it('books a fee in an asset whose name is not one of the service, without a value', async () => {
    const fees = [{ asset: 'x/y z', amount: '3' }];
    const orders = [
      filledOrder('buy', [storedFill({ otherFees: fees })]),
      filledOrder('sell', [storedFill({ price: '110' })]),
    ];
    const [{ userId }, other] = await added(endedExecution({ orders }), endedExecution());
    assert.equal(await book(), 2);
    const [trade] = await tradesOf(userId);
    assert.deepEqual(trade.fees, [{ ...fees[0], value: null }]);
    assert.equal((await tradesOf(other.userId)).length, 1);
  });

  it('is done by several processes at once', async () => {
    const executions = await added(...Array.from({ length: 40 }, () => endedExecution()));
    const another = temporary.another();
    await Promise.all([book(), book(another), book()]);
    for (const { userId, id } of executions) {
      assert.equal((await tradesOf(userId)).length, 1);
      assert.equal((await stored(id)).bookAt, null);
    }
  });
});
