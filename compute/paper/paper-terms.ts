import { Decimal } from '../model/decimal.js';
import type { PairRules } from '../model/pair-rules.js';

/** The fees of the paper exchange and the depth of its market. All are shares: 0.001 is 0.1 %. */
export interface PaperTerms {
  /** The fee of an order that waited in the book. */
  readonly makerFee: Decimal;
  /** The fee of an order that is filled by the first tick after it, or at market. */
  readonly takerFee: Decimal;
  /** How much worse than the price of the tick an order at market is filled. */
  readonly slippage: Decimal;
  /** The share of the volume of a tick that one order gets. */
  readonly volumeShare: Decimal;
  /** How far above the last price a purchase at market may be filled. The purchase locks that price. */
  readonly marketBuffer: Decimal;
}

/** The terms of every paper account. The fees are those of Binance's base tier. */
export const paperTerms: PaperTerms = {
  makerFee: Decimal.parse('0.001'),
  takerFee: Decimal.parse('0.001'),
  slippage: Decimal.parse('0.0005'),
  volumeShare: Decimal.parse('0.25'),
  marketBuffer: Decimal.parse('0.02'),
};

/** The rules of a pair and the terms of the paper exchange. */
export interface MatchMarket {
  readonly rules: PairRules;
  readonly terms: PaperTerms;
}
