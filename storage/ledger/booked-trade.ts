import type { TradeSide } from '../../compute/model/risk-assessment.js';
import type { ExecutionStatus } from '../../compute/signals/execution.js';

/** A fee; `value` in quote units, null where no price of its asset was known. */
export interface BookedFee {
  asset: string;
  amount: string;
  value: string | null;
}

/** The share of this trade in a line of an exchange's ledger; `value` in quote units. */
export interface BookedPayment {
  /** See `paymentKey`. */
  id: string;
  asset: string;
  amount: string;
  value: string;
  at: Date;
}

/** The result of an execution that has traded and has ended. Amounts are decimals as text, in quote units. */
export interface BookedTrade {
  /** The id of the execution: it is booked once. */
  id: string;
  userId: string;
  signalId: string;
  partnerId: string;
  channelId: string;
  exchange: string;
  /** The two assets of the pair. */
  asset: string;
  tradeMarket: string;
  side: TradeSide;
  leverage: number;
  status: ExecutionStatus;
  /** Why it ended. */
  reason: string | null;
  /** See `TradeResult` for the figures. */
  profit: string;
  days: { day: string; profit: string }[];
  /** Funding and interest, which are part of the profit; absent where there were none. */
  funding?: string;
  /** The funding and interest payments from an exchange's ledger. */
  payments?: BookedPayment[];
  fees: BookedFee[];
  entered: string;
  exited: string;
  averageEntry: string | null;
  averageExit: string | null;
  invested: string;
  returnPercent: number | null;
  r: number | null;
  entrySlippagePercent: number | null;
  exitSlippagePercent: number | null;
  deliverySlippagePercent: number | null;
  /** The fees of known value, in percent of the free balance in the quote asset at delivery; null where that is not known. */
  costPercent: number | null;
  left: string;
  openedAt: Date;
  closedAt: Date;
  /** The revision of the execution from which the trade was booked. */
  revision: number;
}
