import type { kucoin as Kucoin } from 'ccxt';
import { tradesByTime } from '../trades-by-time.js';
import type { Venue } from '../venue.js';

/** KuCoin: the classic, the high-frequency and the unified account. */
export const kucoin: Venue<Kucoin> = {
  id: 'kucoin',
  needsPassphrase: true,

  async readPermissions(client) {
    const { data } = (await client.privateGetUserApiKey()) as { data?: { permission?: unknown } };
    if (typeof data?.permission !== 'string') return null;
    const names = data.permission.split(',').map((name) => name.trim().toLowerCase());
    // "Transfer" moves money out of the account too; "InnerTransfer" moves it within the account.
    const mayWithdraw = names.some((name) => name === 'transfer' || name.includes('withdraw'));
    return { mayTrade: names.includes('spot') || names.includes('trade'), mayWithdraw };
  },

  // The classic account names the page size `pageSize`, which ccxt does not send: a default page of 50 would look like the last.
  readTrades: tradesByTime({ pageSize: 100, windowDays: 7, historyDays: 84, params: { pageSize: 100 } }),

  // ccxt learns which kind of account this is only when it loads the markets with a key; here they are loaded without one.
  prepareClient: (client) => client.loadMigrationStatus(),
};
