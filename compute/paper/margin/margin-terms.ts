import { Decimal } from '../../model/decimal.js';
import type { PairRules } from '../../model/pair-rules.js';
import type { TradingAccount } from '../../model/trading-account.js';
import { paperTerms, type PaperTerms } from '../paper-terms.js';

/** An account that holds positions instead of assets. */
export type PositionAccount = Exclude<TradingAccount, 'SPOT'>;

export interface MarginTerms extends PaperTerms {
  /** The fee of a liquidation, as a share of the value that it closes. */
  readonly liquidationFee: Decimal;
  /** What a position pays at each funding time, as a share of its value. */
  readonly fundingRate: Decimal;
  /** `between`: longs pay shorts. `interest`: both pay for what they have borrowed. */
  readonly funding: 'between' | 'interest';
  readonly fundingEveryMs: number;
}

const eightHours = 8 * 3_600_000;

/**
 * The terms of margin and futures accounts. Fees are those of Binance's base tier. Futures pay its usual funding rate of 0.01 %
 * at 00:00, 08:00 and 16:00 UTC; margin accounts pay as much as interest.
 */
export const marginTerms: Readonly<Record<PositionAccount, MarginTerms>> = {
  MARGIN: {
    ...paperTerms,
    liquidationFee: Decimal.parse('0.0125'),
    fundingRate: Decimal.parse('0.0001'),
    funding: 'interest',
    fundingEveryMs: eightHours,
  },
  FUTURES: {
    ...paperTerms,
    makerFee: Decimal.parse('0.0002'),
    takerFee: Decimal.parse('0.0005'),
    liquidationFee: Decimal.parse('0.0125'),
    fundingRate: Decimal.parse('0.0001'),
    funding: 'between',
    fundingEveryMs: eightHours,
  },
};

/** The rules of a pair and the terms of an account with positions. */
export interface MarginMarket {
  readonly rules: PairRules;
  readonly terms: MarginTerms;
}

/** The next funding time after a time, both in ms since 1970. */
export const nextFundingAt = (atMs: number, { fundingEveryMs }: MarginTerms): number =>
  (Math.floor(atMs / fundingEveryMs) + 1) * fundingEveryMs;
