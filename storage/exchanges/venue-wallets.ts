import type { Exchange } from 'ccxt';
import type { Decimal } from '../../compute/model/decimal.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';

/** What the wallet of an account has of an asset, and owes of it. What it is worth: total - borrowed - interest + unrealised. */
export interface WalletAsset {
  asset: string;
  /** What is there, what was borrowed included. */
  total: Decimal;
  /** What no order or position keeps from other uses. */
  free: Decimal;
  /** What orders and positions keep. */
  locked: Decimal;
  /** What is owed, without interest. */
  borrowed: Decimal;
  /** Interest that is owed. */
  interest: Decimal;
  /** What open positions that settle in the asset have gained (above 0) or lost so far. */
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
  /** The pair of the position or of the isolated account; null where it is about the whole wallet. */
  pair: PairSymbols | null;
  /** What was charged for: the size of a position in base units, or the amount that is owed. Null where the exchange does not say. */
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
   * Whether all accounts have one wallet. Its assets are those of SPOT then; the other accounts tell what is owed, and what
   * positions have gained or lost. Transfers of the wallet are told with FUTURES.
   */
  isShared: boolean;
  /** Assets without any amount may be left out. */
  assets(client: Client, account: PositionAccount): Promise<WalletAsset[]>;
  /** In any order; a line may be told twice. */
  entries(client: Client, account: PositionAccount, terms: LedgerTerms): Promise<LedgerEntry[]>;
}
