import type { Decimal } from '../../compute/model/decimal.js';
import type { Fill } from '../../compute/model/holding.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';

/** What an account has of an asset, with what its open orders hold back. */
export interface Balance {
  asset: string;
  quantity: Decimal;
}

/** Fills in the order in which they happened, and where to go on from. */
export interface FillPage {
  fills: Fill[];
  cursor: string;
}

/**
 * The account of one user on one exchange, whichever stands behind it. What is asked of an account belongs here: its
 * balances and fills now, its orders when there are any.
 */
export interface ExchangeAccount {
  /** Everything of which there is more than nothing. */
  balances(): Promise<Balance[]>;
  /**
   * The fills of a pair after a cursor, or since the account's history begins; null where it cannot be told: the pair is
   * not traded there, or the history is longer than is read.
   */
  fills(pair: PairSymbols, cursor: string | null): Promise<FillPage | null>;
}
