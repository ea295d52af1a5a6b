import { Decimal } from '../../compute/model/decimal.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import { unlockedOf } from '../../compute/paper/margin/margin-money.js';
import type { Account } from './accounts.js';
import { paperName } from '../exchanges/exchange-names.js';
import { marginCurrency } from '../exchanges/paper/margin/margin-states.js';
import { marginIdOf, type StoredMargin } from '../exchanges/paper/margin/stored-margin.js';
import { PaperAccounts } from '../exchanges/paper/paper-accounts.js';
import { PaperFunds } from '../exchanges/paper/paper-funds.js';
import type { Storage } from '../index.js';
import type { Settings } from '../process/settings.js';

export interface AccountBalance {
  exchange: string;
  account: TradingAccount;
  asset: string;
  /** The whole balance, including borrowed funds. */
  total: Decimal;
  /** The parts that orders and positions do not reserve, and that they reserve; null where the exchange does not report them. */
  free: Decimal | null;
  locked: Decimal | null;
  /** The debt without interest, and the interest owed on it. */
  borrowed: Decimal;
  interest: Decimal;
}

/** An account that could not be read the last time. */
export interface UnreadAccount {
  exchange: string;
  account: TradingAccount;
  /** When it was read last, in ms; null if never. */
  readAt: number | null;
  fault: string;
}

/** The balances of a user's accounts as last read, and the accounts whose last reading failed. */
export interface AccountBalances {
  /** Assets without a balance are left out. */
  balances: AccountBalance[];
  unread: UnreadAccount[];
}

/** The balance of each asset on each account of a user. */
export async function accountBalances(
  userId: string,
  storage: Pick<Storage, 'accounts' | 'paperMargin' | 'paperOrders'>,
  { PAPER_BALANCE }: Pick<Settings, 'PAPER_BALANCE'>,
): Promise<AccountBalances> {
  // Orders are read before accounts, so that a fill that is booked in between counts once.
  const rows = await storage.paperOrders.live([userId]);
  const [accounts, margins] = await Promise.all([
    storage.accounts.ofUsers([userId]),
    storage.paperMargin.ofIds(
      (['MARGIN', 'FUTURES'] as const).map((account) => marginIdOf({ userId, account })),
    ),
  ]);
  const paper =
    accounts.find(({ exchange }) => exchange === paperName) ??
    new PaperAccounts(storage.accounts, PAPER_BALANCE).fresh(userId);
  const others = accounts.filter((account) => account !== paper);
  return {
    balances: [
      ...paperSpot(new PaperFunds(paper, rows)),
      ...margins.map(paperMargin),
      ...others.flatMap((account) => [...readBalances(account), ...walletBalances(account)]),
    ].filter((each) => [each.total, each.borrowed, each.interest].some(({ sign }) => sign !== 0)),
    unread: others.flatMap(unreadOf),
  };
}

const nothingOwed = { borrowed: Decimal.zero, interest: Decimal.zero };

const paperSpot = (funds: PaperFunds): AccountBalance[] =>
  funds.assets.map((asset) => {
    const [total, free] = [funds.total(asset), funds.free(asset)];
    return {
      exchange: paperName,
      account: 'SPOT',
      asset,
      total,
      free,
      locked: total.minus(free),
      ...nothingOwed,
    };
  });

/** The wallet of an account that holds positions: their margin and that of orders is locked. */
const paperMargin = ({ account, state }: StoredMargin): AccountBalance => ({
  exchange: paperName,
  account,
  asset: marginCurrency,
  total: state.wallet,
  free: unlockedOf(state),
  locked: state.wallet.minus(unlockedOf(state)),
  ...nothingOwed,
});

const readBalances = ({ exchange, cash, holdings }: Account): AccountBalance[] =>
  [...cash, ...holdings].map(({ asset, quantity, locked: text }) => {
    const total = Decimal.read(quantity);
    const locked = text === undefined ? null : Decimal.read(text);
    return {
      exchange,
      account: 'SPOT',
      asset,
      total,
      free: locked && total.minus(locked),
      locked,
      ...nothingOwed,
    };
  });

const walletBalances = ({ exchange, wallets = [] }: Account): AccountBalance[] =>
  wallets.flatMap(({ account, assets }) =>
    assets.map(({ asset, total, free, locked, borrowed, interest }) => ({
      exchange,
      account,
      asset,
      total: Decimal.read(total),
      free: Decimal.read(free),
      locked: Decimal.read(locked),
      borrowed: Decimal.read(borrowed),
      interest: Decimal.read(interest),
    })),
  );

const unreadOf = ({ exchange, syncedAt, fault, wallets = [] }: Account): UnreadAccount[] => [
  ...(fault === null ? [] : [{ exchange, account: 'SPOT' as const, readAt: syncedAt, fault }]),
  ...wallets.flatMap(({ account, readAt, fault: why }) =>
    why === null ? [] : [{ exchange, account, readAt, fault: why }],
  ),
];
