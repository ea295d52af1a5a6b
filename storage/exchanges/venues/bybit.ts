import type { bybit as Bybit } from 'ccxt';
import { tradesByTime } from '../trades-by-time.js';
import type { Venue } from '../venue.js';

interface KeyInfo {
  readOnly?: unknown;
  permissions?: { Spot?: unknown; Wallet?: unknown };
}

/** Bybit, unified account. */
export const bybit: Venue<Bybit> = {
  id: 'bybit',
  needsPassphrase: false,

  async readPermissions(client) {
    const { result } = (await client.privateGetV5UserQueryApi()) as { result?: KeyInfo };
    const { Spot: spot, Wallet: wallet } = result?.permissions ?? {};
    if (!Array.isArray(wallet)) return null;
    const mayTrade = Number(result?.readOnly) === 0 && Array.isArray(spot) && spot.includes('SpotTrade');
    return { mayTrade, mayWithdraw: wallet.includes('Withdraw') };
  },

  readTrades: tradesByTime({ pageSize: 100, windowDays: 7, historyDays: 84 }),
};
