import type { HeldAmount, WalletState } from '../../compute/ledger/wallet-flow.js';
import { Decimal } from '../../compute/model/decimal.js';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';
import { gainAt } from '../../compute/paper/margin/margin-money.js';
import type { Account, StoredWallet, StoredWalletAsset } from '../../storage/accounts/accounts.js';
import { marginCurrency } from '../../storage/exchanges/paper/margin/margin-states.js';
import type { StoredMargin } from '../../storage/exchanges/paper/margin/stored-margin.js';

/** A MARGIN or FUTURES wallet at the time of a snapshot. */
export interface NamedWallet extends WalletState {
  account: PositionAccount;
  /** See `StoredWallet`. */
  coversSpot: boolean;
  /** Whether the last reading failed, so that the amounts are older. */
  isStale: boolean;
  /** Assets without a price, so that gains of positions in them are not counted. */
  unpriced: string[];
}

/** The wallets of an account on a connected exchange, as last read; null if none was ever read. */
export const liveWallets = ({ wallets }: Account): NamedWallet[] | null =>
  wallets?.map((wallet) => ({
    account: wallet.account,
    coversSpot: wallet.coversSpot,
    since: wallet.since,
    unpriced: [],
    isStale: wallet.fault !== null && wallet.since !== null,
    worth: wallet.assets.map(worthOf),
    transferred: amounts(wallet.transferred),
  })) ?? null;

const worthOf = ({ asset, total, borrowed, interest, unrealised }: StoredWalletAsset): HeldAmount => ({
  asset,
  quantity: Decimal.read(total)
    .minus(Decimal.read(borrowed))
    .minus(Decimal.read(interest))
    .plus(Decimal.read(unrealised)),
});

/** The wallets of a paper account, with the gains of positions at the present prices, which are by base asset. */
export const paperWallets = (
  margins: readonly StoredMargin[],
  prices: ReadonlyMap<string, Decimal>,
  startingBalance: string,
): NamedWallet[] =>
  margins.map(({ account, state: { wallet, positions } }) => {
    const priced = positions.filter(({ pair }) => prices.has(pair.base));
    const gains = priced.map((position) => gainAt(position, prices.get(position.pair.base)!));
    return {
      account,
      coversSpot: false,
      isStale: false,
      since: 0,
      transferred: [],
      worth: [
        {
          asset: marginCurrency,
          quantity: wallet.plus(Decimal.sum(gains)),
        },
      ],
      opening: [
        {
          asset: marginCurrency,
          quantity: Decimal.parse(startingBalance),
        },
      ],
      unpriced: positions.filter((each) => !priced.includes(each)).map(({ pair }) => pair.base),
    };
  });

/** The accounts whose wallet was never read. */
export const unreadWallets = (wallets: readonly StoredWallet[] | undefined): PositionAccount[] =>
  (wallets ?? []).filter(({ since }) => since === null).map(({ account }) => account);

const amounts = (held: readonly { asset: string; quantity: string }[]): HeldAmount[] =>
  held.map(({ asset, quantity }) => ({ asset, quantity: Decimal.read(quantity) }));
