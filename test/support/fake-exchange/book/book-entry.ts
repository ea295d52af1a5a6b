import type { Decimal } from '../../../../compute/model/decimal.js';

/** A line of the ledger of a wallet beside its trades. */
export interface BookEntry {
  id: number;
  account: string;
  kind: 'margin' | 'isolated' | 'futures';
  type: 'transfer' | 'funding' | 'interest';
  asset: string;
  /** What it adds to the wallet. */
  amount: Decimal;
  /** The symbol of the position; null without one. */
  symbol: string | null;
  /** The quantity of the position, or the amount that was owed. */
  basis: Decimal;
  /** The price of the symbol; 0 without one. */
  price: Decimal;
  time: number;
}
