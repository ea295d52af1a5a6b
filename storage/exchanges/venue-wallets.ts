import type { Exchange } from 'ccxt';
import type { Decimal } from '../../compute/model/decimal.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';

/** The balance and the debt of one asset in the wallet of an account. Its worth is total - borrowed - interest + unrealised. */
export interface WalletAsset {
  asset: string;
  /** The whole balance, including borrowed funds. */
  total: Decimal;
  /** The part that no order or position reserves. */
  free: Decimal;
  /** The part that orders and positions reserve. */
  locked: Decimal;
  /** The debt without interest. */
  borrowed: Decimal;
  /** The interest owed. */
  interest: Decimal;
  /** The unrealised profit (above 0) or loss of open positions that settle in the asset. */
  unrealised: Decimal;
}

/** `transfer`: moved into the wallet from elsewhere, or out of it. */
export const ledgerKinds = ['transfer', 'funding', 'interest'] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** A line of an exchange's own ledger of a wallet. */
export interface LedgerEntry {
  /** Unique among the lines of its kind in the account. */
  id: string;
  kind: LedgerKind;
  asset: string;
  /** Received (above 0) or paid. */
  amount: Decimal;
  /** The pair of the position or of the isolated account; null where the line concerns the whole wallet. */
  pair: PairSymbols | null;
  /** The amount on which the charge is based: the size of a position in base units, or the debt. Null where the exchange does not say. */
  basis: Decimal | null;
  /** In ms since 1970, by the exchange's clock. */
  at: number;
}

/** Which lines of a ledger are asked for. */
export interface LedgerTerms {
  sinceMs: number;
  /** The present time by the exchange's clock. */
  nowMs: number;
  /** Pairs of which positions may have been held since; exchanges that list funding by pair are asked for these as well. */
  pairs: readonly PairSymbols[];
}

/** The wallets of MARGIN and FUTURES at an exchange, and the ledgers of their movements. */
export interface VenueWallets<Client extends Exchange = Exchange> {
  /**
   * Whether all accounts share one wallet. Its assets are then listed with SPOT; MARGIN lists the debt, and FUTURES the unrealised
   * profit and loss and the transfers of the wallet.
   */
  isShared: boolean;
  /** Assets without any amount may be left out. */
  assets(client: Client, account: PositionAccount): Promise<WalletAsset[]>;
  /** The lines in any order; a line may appear twice. */
  entries(client: Client, account: PositionAccount, terms: LedgerTerms): Promise<LedgerEntry[]>;
}
