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

/** SPOT, which every key opens, and those of the others that this one opens. */
export const openedAccounts = (opens: Record<Exclude<TradingAccount, 'SPOT'>, boolean>): TradingAccount[] =>
  tradingAccounts.filter((account) => account === 'SPOT' || opens[account]);
