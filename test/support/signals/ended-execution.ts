import { encodeExecution } from '../../../storage/signals/execution-json.js';
import type { StoredExecution, StoredFill, StoredOrder } from '../../../storage/signals/stored-execution.js';
import { makeExecution } from './make-execution.js';
import { makeStoredExecution, storedOrder } from './make-stored-execution.js';

let made = 0;

/** A fill of 1 at 100 without fees. */
export const storedFill = (more: Partial<StoredFill> = {}): StoredFill => ({
  tradeId: `trade-${++made}`,
  quantity: '1',
  price: '100',
  baseFee: '0',
  quoteFee: '0',
  at: new Date(Date.UTC(2026, 0, 5)),
  ...more,
});

/** An order with its fills. */
export const filledOrder = (
  side: 'buy' | 'sell',
  fills: StoredFill[],
  more: Partial<StoredOrder> = {},
): StoredOrder => ({
  ...storedOrder,
  clientOrderId: `ended-${++made}`,
  leg: side === 'buy' ? 'entry-1' : 'target-1',
  side,
  status: 'filled',
  reduces: side === 'sell',
  fills,
  ...more,
});

/** A long of 1 that was bought at 100 and sold at a price, by default at 110, and is to be booked. */
export function endedExecution(more: Partial<StoredExecution> = {}, soldAt = '110'): StoredExecution {
  const state = encodeExecution({ ...makeExecution(), status: 'closed' });
  const endedAt = new Date(Date.UTC(2026, 0, 6));
  return makeStoredExecution({
    status: 'closed',
    reason: 'everything is sold',
    state,
    orders: [
      filledOrder('buy', [storedFill()]),
      filledOrder('sell', [storedFill({ price: soldAt, at: endedAt })]),
    ],
    endedAt,
    bookAt: endedAt,
    ...more,
  });
}
