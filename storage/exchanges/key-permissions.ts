import type { binance, bybit, Exchange, kucoin } from 'ccxt';
import { AppError } from '../../compute/model/errors.js';

/** What an API key may do besides reading. */
export interface KeyPermissions {
  mayTrade: boolean;
  mayWithdraw: boolean;
}

type Answer = Record<string, unknown>;

/** How each exchange tells what a key may do. One that is not listed does not tell, or not in a way known here. */
const readers: Readonly<Record<string, (exchange: Exchange) => Promise<KeyPermissions | null>>> = {
  async binance(exchange) {
    const answer = (await (exchange as binance).sapiGetAccountApiRestrictions()) as Answer;
    const { enableWithdrawals, enableSpotAndMarginTrading } = answer;
    if (typeof enableWithdrawals !== 'boolean') return null;
    return { mayTrade: enableSpotAndMarginTrading === true, mayWithdraw: enableWithdrawals };
  },

  async bybit(exchange) {
    const { result } = (await (exchange as bybit).privateGetV5UserQueryApi()) as { result?: Answer };
    const permissions = result?.permissions as { Wallet?: unknown; Spot?: unknown } | undefined;
    if (!Array.isArray(permissions?.Wallet)) return null;
    const mayTrade = Number(result?.readOnly) === 0 && list(permissions.Spot).includes('SpotTrade');
    return { mayTrade, mayWithdraw: permissions.Wallet.includes('Withdraw') };
  },

  async kucoin(exchange) {
    const { data } = (await (exchange as kucoin).privateGetUserApiKey()) as { data?: Answer };
    if (typeof data?.permission !== 'string') return null;
    const names = data.permission.split(',').map((name) => name.trim().toLowerCase());
    // "Transfer" takes money out of the account too; "InnerTransfer" moves it within.
    const mayWithdraw = names.some((name) => name === 'transfer' || name.includes('withdraw'));
    return { mayTrade: names.includes('spot') || names.includes('trade'), mayWithdraw };
  },
};

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Whether it can be found out what a key of this exchange may do. */
export const tellsPermissions = (id: string): boolean => Object.hasOwn(readers, id);

/** What the key may do that the exchange was opened with. Throws `exchange_refused` when the answer does not say. */
export async function readPermissions(exchange: Exchange): Promise<KeyPermissions> {
  const permissions = await readers[exchange.id](exchange);
  if (permissions) return permissions;
  throw new AppError('exchange_refused', `${exchange.id} did not say what the key may do`, {
    details: { reason: 'request' },
  });
}
