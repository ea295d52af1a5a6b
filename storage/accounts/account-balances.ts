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

/** What an account has of an asset. */
export interface AccountBalance {
  exchange: string;
  account: TradingAccount;
  asset: string;
  total: Decimal;
  /** What orders and positions keep from other uses; null where the exchange has not said. */
  locked: Decimal | null;
}

/** The balance of each asset over all accounts of a user, as last read; assets without a balance are left out. */
export async function accountBalances(
  userId: string,
  storage: Pick<Storage, 'accounts' | 'paperMargin' | 'paperOrders'>,
  { PAPER_BALANCE }: Pick<Settings, 'PAPER_BALANCE'>,
): Promise<AccountBalance[]> {
  // Orders first: a fill that reaches the account meanwhile counts once.
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
  return [
    ...paperSpot(new PaperFunds(paper, rows)),
    ...margins.map(paperMargin),
    ...accounts.filter((account) => account !== paper).flatMap(readBalances),
  ].filter(({ total }) => total.sign !== 0);
}

const paperSpot = (funds: PaperFunds): AccountBalance[] =>
  funds.assets.map((asset) => {
    const total = funds.total(asset);
    return {
      exchange: paperName,
      account: 'SPOT',
      asset,
      total,
      locked: total.minus(funds.free(asset)),
    };
  });

/** The wallet of an account that holds positions: their margin and that of orders is locked. */
const paperMargin = ({ account, state }: StoredMargin): AccountBalance => ({
  ...{ exchange: paperName, account, asset: marginCurrency, total: state.wallet },
  locked: state.wallet.minus(unlockedOf(state)),
});

const readBalances = ({ exchange, cash, holdings }: Account): AccountBalance[] =>
  [...cash, ...holdings].map(({ asset, quantity, locked }) => ({
    ...{ exchange, account: 'SPOT', asset, total: Decimal.read(quantity) },
    locked: locked === undefined ? null : Decimal.read(locked),
  }));
