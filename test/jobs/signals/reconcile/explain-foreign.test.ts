import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { explainForeign } from '../../../../jobs/signals/reconcile/explain-foreign.js';
import { clientOrderIdOf } from '../../../../storage/signals/client-order-id.js';
import type { OpenVenueOrder } from '../../../../storage/exchanges/trading-venue.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';

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
});
