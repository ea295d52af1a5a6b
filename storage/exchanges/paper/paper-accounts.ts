import { Decimal } from '../../../compute/model/decimal.js';
import { newAccount, type Account, type AccountRepository } from '../../accounts/accounts.js';
import { quoteCurrency } from '../../candles/pegged.js';
import { paperName } from '../exchange-names.js';

/** The paper accounts of users. A user has one from the start; it is stored with the first change. */
export class PaperAccounts {
  readonly #accounts: AccountRepository;
  readonly #startingBalance: string;

  /** `startingBalance`: the cash of a new account, in USDT. */
  constructor(accounts: AccountRepository, startingBalance: string) {
    this.#accounts = accounts;
    this.#startingBalance = startingBalance;
  }

  /** The account of each user, and whether it is stored. */
  async ofUsers(userIds: readonly string[]): Promise<Map<string, { account: Account; isStored: boolean }>> {
    const stored = await this.#accounts.onExchange(paperName, userIds);
    const byUser = new Map(stored.map((account) => [account.userId, account]));
    return new Map(
      userIds.map((userId) => {
        const account = byUser.get(userId);
        return [userId, { account: account ?? this.fresh(userId), isStored: account !== undefined }];
      }),
    );
  }

  /** Stores a changed account; false when it was changed meanwhile or removed. */
  write(account: Account, isStored: boolean): Promise<boolean> {
    return isStored ? this.#accounts.replace(account) : this.#accounts.add(account);
  }

  /** The account of a user, which is stored now if it was not. */
  stored(userId: string): Promise<Account> {
    return this.#accounts.findOrAdd(this.fresh(userId));
  }

  /** An account that nothing has changed yet. */
  fresh(userId: string): Account {
    const cash = [{ asset: quoteCurrency, quantity: String(Decimal.parse(this.#startingBalance)) }];
    return { ...newAccount(userId, paperName, null), cash };
  }
}
