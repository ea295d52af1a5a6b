import type { StoredExecution, StoredOrder } from '../../../storage/signals/stored-execution.js';

let count = 0;

const at = new Date(Date.UTC(2026, 0, 1));

/** An execution to which nothing has happened, with an id of its own. */
export function makeStoredExecution(more: Partial<StoredExecution> = {}): StoredExecution {
  const n = ++count;
  return {
    id: `signal ${n}:subscription ${n}`,
    signalId: `signal ${n}`,
    partnerId: 'partner',
    channelId: 'channel',
    subscriptionId: `subscription ${n}`,
    userId: `user ${n}`,
    slot: 0,
    exchange: 'PAPER',
    account: 'SPOT',
    marginMode: 'ISOLATED',
    market: 'demo',
    pair: 'BTC/USDT',
    status: 'queued',
    reason: null,
    state: null,
    investPercent: '5',
    commandsDone: 0,
    watched: null,
    crossings: [],
    seenAt: null,
    orders: [],
    events: [],
    wish: null,
    fault: null,
    dueAt: null,
    revision: 0,
    createdAt: at,
    endedAt: null,
    bookAt: null,
    ...more,
  };
}

/** An order that may have been sent. */
export const storedOrder: StoredOrder = {
  clientOrderId: 'order',
  leg: 'entry-1',
  revision: 1,
  side: 'buy',
  type: 'limit',
  price: '100',
  stopPrice: null,
  quantity: '1',
  reduces: false,
  status: 'sent',
  cancelWanted: false,
  exchangeOrderId: null,
  filled: '0',
  fills: [],
  createdAt: at,
  updatedAt: at,
  attempts: 0,
  retryAt: null,
  reason: null,
};
