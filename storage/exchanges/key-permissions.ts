import { tradingAccounts, type TradingAccount } from '../../compute/model/trading-account.js';

/** What an API key may do besides reading. */
export interface KeyPermissions {
  mayTrade: boolean;
  mayWithdraw: boolean;
  /** The accounts that it opens. Others are not asked for. */
  accounts: readonly TradingAccount[];
  /** Why no orders can be placed for the account of the key; absent if they can, or the key may not trade. */
  objection?: string;
  /** The exchange's own id of the account, the same for all of its keys; absent if the exchange does not tell it. */
  accountId?: string;
}

/** The id of an account as exchanges write it, a number or text. */
export const accountIdOf = (id: unknown): Pick<KeyPermissions, 'accountId'> =>
  typeof id === 'number' || (typeof id === 'string' && id !== '') ? { accountId: String(id) } : {};

/** What a key may trade on, with the accounts that it opens: every one opens SPOT, but for one that trades elsewhere alone. */
export function openedAccounts(
  trades: Record<TradingAccount, boolean>,
): Pick<KeyPermissions, 'accounts' | 'mayTrade'> {
  const traded = tradingAccounts.filter((account) => trades[account]);
  return traded.length > 0 ? { mayTrade: true, accounts: traded } : { mayTrade: false, accounts: ['SPOT'] };
}
