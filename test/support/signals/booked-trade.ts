import type { BookedTrade } from '../../../storage/ledger/booked-trade.js';

let made = 0;

/** A trade of a user of its own that earned 10 with 100 on 6 January 2026. */
export function bookedTrade(more: Partial<BookedTrade> = {}): BookedTrade {
  const n = ++made;
  return {
    ...{ id: `signal-${n}:subscription-${n}`, userId: `trader ${n}`, signalId: `traded-${n}` },
    ...{ partnerId: 'partner', channelId: 'channel', exchange: 'PAPER', asset: 'BTC', tradeMarket: 'USDT' },
    ...{ side: 'long', leverage: 1, status: 'closed', reason: 'everything is sold', profit: '10' },
    days: [{ day: '2026-01-06', profit: '10' }],
    fees: [{ asset: 'USDT', amount: '0.2', value: '0.2' }],
    ...{ entered: '1', exited: '1', averageEntry: '100', averageExit: '110.2', invested: '100' },
    ...{ returnPercent: 10, r: 1, entrySlippagePercent: 0, exitSlippagePercent: 0, left: '0' },
    ...{ deliverySlippagePercent: 0, costPercent: 0.02 },
    openedAt: new Date(Date.UTC(2026, 0, 5)),
    closedAt: new Date(Date.UTC(2026, 0, 6, 12)),
    revision: 1,
    ...more,
  };
}
