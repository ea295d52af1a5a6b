import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { explainForeign } from '../../../../jobs/signals/reconcile/explain-foreign.js';
import { applyNews } from '../../../../jobs/signals/reconcile/apply-news.js';
import { clientOrderIdOf } from '../../../../storage/signals/client-order-id.js';
import type { OpenVenueOrder } from '../../../../storage/exchanges/trading-venue.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';

const fault = { message: 'failed', count: 8, at: new Date(1) };

describe('explainForeign', () => {
  const temporary = temporaryStorage();

  const connect = (userId: string, exchange: string, venueAccount: string, claimedAt: Date) => {
    const { connections } = temporary.storage;
    const key = { keyId: 'k', sealed: 'x' };
    return connections.add({
      ...{ id: connections.newId(), userId, exchange, mayTrade: true, createdAt: claimedAt, key },
      ...{ venueAccount, claimedAt },
    });
  };

  it('knows the orders of a connection that was displaced, on the same account alone, and leaves them alone', async () => {
    const { storage } = temporary;
    await connect('first', 'BINANCE', 'binance 7', new Date(1));
    await connect('second', 'BINANCE', 'binance 7', new Date(2));
    await connect('second', 'OTHER', 'binance 8', new Date(2));
    const clientOrderId = clientOrderIdOf('an execution', 'stop', 1);
    const orders = [{ ...storedOrder, clientOrderId, status: 'open' as const, fills: [] }];
    await storage.executions.addAll([makeStoredExecution({ userId: 'first', exchange: 'BINANCE', orders })]);
    const order: OpenVenueOrder = {
      ...{
        clientOrderId,
        exchangeOrderId: '1',
        filled: Decimal.zero,
        fills: [],
        pair: { base: 'BTC', quote: 'USDT' },
      },
      status: 'open',
      account: 'SPOT',
    };
    const explain = (exchange: string) =>
      explainForeign({ storage, shown: new Set() }, { userId: 'second', exchange, foreign: [order] });
    assert.deepEqual(await explain('BINANCE'), { lost: new Map(), unknown: null });
    assert.match((await explain('OTHER')).unknown!, /is not among yours/);
  });

  it('leaves to their owner the orders of an execution that was handed over, and nothing brings it back', async () => {
    const { storage } = temporary;
    const [userId, exchange] = ['owner', 'BINANCE'];
    const clientOrderId = clientOrderIdOf('handed over', 'stop', 1);
    const orders = [{ ...storedOrder, clientOrderId, leg: 'stop', status: 'open' as const, fills: [] }];
    const execution = makeStoredExecution({ id: 'signal:owner', userId, exchange, orders, fault });
    await storage.executions.addAll([execution]);
    await storage.executionReads.handOver({ userId, exchange });
    const order: OpenVenueOrder = {
      ...{ clientOrderId, exchangeOrderId: '1', filled: Decimal.zero, fills: [], account: 'SPOT' },
      ...{ pair: { base: 'BTC', quote: 'USDT' }, status: 'open' },
    };
    const explained = await explainForeign(
      { storage, shown: new Set() },
      { userId, exchange, foreign: [order] },
    );
    assert.deepEqual(explained, { lost: new Map(), unknown: null });
    const heard = { orders: new Map([[clientOrderId, { tradeIds: new Set(['1']), isEnded: true }]]) };
    const wake = () => assert.fail('nothing is to be done');
    const withOrders = (ids: readonly string[]) => storage.executions.withOrders([userId], ids);
    const tools = { storage, wake, underWay: { has: () => false } };
    assert.deepEqual(await applyNews(tools, heard, withOrders), { isForeign: false, later: new Map() });
    // A worker whose write was refused because of the handover, and an operator.
    await storage.executions.wake([execution.id], Date.now());
    await storage.executions.retry(execution.id, Date.now());
    const [{ dueAt, endedAt, status }] = await storage.executions.ofIds([execution.id]);
    assert.deepEqual([dueAt, endedAt !== null, status], [null, true, 'closed']);
  });
});
