import type { binance as Binance } from 'ccxt';
import { tradesById } from '../trades-by-id.js';
import type { Venue } from '../venue.js';

/** Binance, spot account. */
export const binance: Venue<Binance> = {
  id: 'binance',
  needsPassphrase: false,

  async readPermissions(client) {
    const answer = (await client.sapiGetAccountApiRestrictions()) as Record<string, unknown>;
    const { enableWithdrawals, enableSpotAndMarginTrading } = answer;
    if (typeof enableWithdrawals !== 'boolean') return null;
    return { mayTrade: enableSpotAndMarginTrading === true, mayWithdraw: enableWithdrawals };
  },

  readTrades: tradesById({ pageSize: 1_000, paramsFrom: (id) => ({ fromId: id }) }),

  beforeRequest(client) {
    // After a request that succeeded, ccxt reports a refused key as an overload of the exchange.
    client.options.hasAlreadyAuthenticatedSuccessfully = false;
  },
};
