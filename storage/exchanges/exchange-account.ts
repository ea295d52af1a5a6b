import type { Decimal } from '../../compute/model/decimal.js';
import type { Fill } from '../../compute/model/holding.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';
import type { LedgerEntry, LedgerTerms, WalletAsset } from './venue-wallets.js';

/** The quantity of an asset in an account, including what open orders lock. */
export interface Balance {
  asset: string;
  quantity: Decimal;
  /** The part that open orders lock; absent where the account does not say. */
  locked?: Decimal;
}

/** Fills in the order in which they happened, and the cursor after the last of them. */
export interface FillPage {
  fills: Fill[];
  cursor: string;
}

/** The assets in the wallet of MARGIN or FUTURES, with the requested lines of its ledger. */
export interface WalletReading {
  assets: WalletAsset[];
  /** Null if they were not read, because the wallet is empty. */
  entries: LedgerEntry[] | null;
  /** When it was read, in ms since 1970 by the exchange's clock. */
  readAt: number;
}

export interface WalletTerms extends Omit<LedgerTerms, 'nowMs'> {
  /** Whether ledger lines are also read for an empty wallet. */
  evenIfEmpty: boolean;
}

/** The account of one user on one exchange, whether it is a paper account or behind an API key. */
export interface ExchangeAccount {
  /** How far the exchange's clock was behind this machine's in its last answer, in ms; absent where no request was sent. */
  readonly clockLagMs?: number;
  /** The assets with a quantity above 0. */
  balances(): Promise<Balance[]>;
  /**
   * The fills of a pair after a cursor, or from the start of the account's history. Null when the exchange does not list the
   * pair or the history takes too many requests.
   */
  fills(pair: PairSymbols, cursor: string | null): Promise<FillPage | null>;
  /** Whether SPOT, MARGIN and FUTURES have one wallet; see `VenueWallets`. */
  readonly hasSharedWallet?: boolean;
  /** The wallet of an account. Every transfer that its amounts include is among the lines. Absent where the account has SPOT alone. */
  wallet?(account: PositionAccount, terms: WalletTerms): Promise<WalletReading>;
}
