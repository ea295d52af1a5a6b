import { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import type { Account, AccountRepository } from '../accounts/accounts.js';
import { KeyedMutex } from '../process/keyed-mutex.js';
import { backOff } from '../servers/back-off.js';
import { isCash } from '../candles/pegged.js';
import type { Balance, ExchangeAccount } from './exchange-account.js';
import { PaperAccounts } from './paper/paper-accounts.js';
import { rememberMs } from './paper/plan-settlement.js';
import { inAssetOrder, withCash } from './paper/with-cash.js';
import { settleHolding } from '../accounts/settle-holding.js';

type Booked = NonNullable<Account['booked']>[number];

/** A quantity of an asset and the price of one unit. */
export interface GivenHolding {
  asset: string;
  quantity: Decimal;
  price: Decimal;
}

const maxTries = 20;

/** Changes of one account that come to this process at the same time take turns, so that only other processes make one repeat. */
const turns = new WeakMap<AccountRepository, KeyedMutex>();

/** The account with play money that every user has. It is stored by Tidemark itself. */
export class PaperAccount implements ExchangeAccount {
  readonly #accounts: AccountRepository;
  readonly #paper: PaperAccounts;
  readonly #userId: string;

  /** `startingBalance`: the cash of a new account, in USDT. */
  constructor(accounts: AccountRepository, userId: string, startingBalance: string) {
    this.#accounts = accounts;
    this.#paper = new PaperAccounts(accounts, startingBalance);
    this.#userId = userId;
  }

  async balances(): Promise<Balance[]> {
    const { cash, holdings } = await this.#account();
    return [...cash, ...holdings].map(({ asset, quantity }) => ({
      asset,
      quantity: Decimal.read(quantity),
    }));
  }

  /** Null: quantities and costs change with each fill as it is booked, so there is nothing to read. */
  async fills(): Promise<null> {
    return null;
  }

  /**
   * Adds all of the holdings or none, and nothing if it did so with this id in the last 10 minutes. Their cost is their price; cash is
   * not reduced. Throws `queue_full` when concurrent changes of the account do not end.
   */
  async give(given: readonly GivenHolding[], id: string | null = null): Promise<void> {
    const mutex = turns.get(this.#accounts) ?? new KeyedMutex();
    turns.set(this.#accounts, mutex);
    await mutex.run(this.#userId, () => this.#give(given, id));
  }

  async #give(given: readonly GivenHolding[], id: string | null): Promise<void> {
    const gift = id === null ? null : `${gifts}${id}`;
    for (let n = 0; n < maxTries; n++) {
      const account = await this.#account();
      const booked = account.booked ?? [];
      if (booked.some((each) => each.id === gift)) return;
      const next = given.reduce(withHolding, account);
      if (gift !== null) next.booked = withGift(booked, gift, Date.now());
      if (await this.#accounts.replace(next)) return;
      await backOff(n);
    }
    throw new AppError(
      'queue_full',
      'this paper account is changed by too many requests at once; try again in a moment',
    );
  }

  #account(): Promise<Account> {
    return this.#paper.stored(this.#userId);
  }
}

/** What begins the id of a gift among those of fills. */
const gifts = 'gift ';

const withGift = (booked: readonly Booked[], id: string, at: number): Booked[] => [
  ...booked.filter((each) => !each.id.startsWith(gifts) || each.at > at - rememberMs),
  { id, at },
];

function withHolding(account: Account, { asset, quantity, price }: GivenHolding): Account {
  if (isCash(asset)) return { ...account, cash: withCash(account.cash, asset, quantity) };
  const known = account.holdings.find((each) => each.asset === asset);
  const total = quantity.plus(Decimal.read(known?.quantity ?? '0'));
  const settled = settleHolding(known ?? null, [], total, price);
  const holding = { asset, ...settled, cursor: null, checkedAt: 0 };
  const others = account.holdings.filter((each) => each.asset !== asset);
  return { ...account, holdings: inAssetOrder([...others, holding]) };
}
