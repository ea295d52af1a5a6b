import type { okx as Okx } from 'ccxt';
import { tradesByTime } from '../trades-by-time.js';
import type { Venue } from '../venue.js';

/** OKX, trading account. */
export const okx: Venue<Okx> = {
  id: 'okx',
  needsPassphrase: true,

  async readPermissions(client) {
    const { data } = (await client.privateGetAccountConfig()) as { data?: { perm?: unknown }[] };
    const perm = data?.[0]?.perm;
    if (typeof perm !== 'string') return null;
    const names = perm.split(',').map((name) => name.trim());
    return { mayTrade: names.includes('trade'), mayWithdraw: names.includes('withdraw') };
  },

  // OKX lists the newest 100 of any span of the last three months.
  readTrades: tradesByTime({ pageSize: 100, windowDays: 84, historyDays: 84 }),
};
