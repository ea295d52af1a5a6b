import type { Decimal } from '../model/decimal.js';
import type { TradedAmounts } from '../model/holding.js';
import type { PairRules } from '../model/pair-rules.js';
import type { ForcedClose, TrailingTerms } from './execution.js';

/** An event of an execution. `at` is in ms since 1970; prices are in quote units. */
export type ExecutionEvent = { readonly at: number } & (
  | ExecutionTick
  | OrderUpdate
  | OrderFill
  | TakeProfitCommand
  | TrailingStopCommand
  | RebuyCommand
  | DcaCommand
  | UpdatePricesCommand
  | { readonly type: 'cancel' }
  | { readonly type: 'close'; readonly cause: string }
  | { readonly type: 'halt'; readonly isHalted: boolean }
  | { readonly type: 'refuse_entry'; readonly leg: string; readonly cause: string }
  | { readonly type: 'rules'; readonly rules: PairRules }
  | { readonly type: 'time' }
  | { readonly type: 'funding'; readonly amount: Decimal }
  | Liquidation
  | { readonly type: 'balance'; readonly held: Decimal }
);

/** A price, and the range since the previous tick. Without a range, only the price counts. */
export interface ExecutionTick {
  readonly type: 'tick';
  readonly price: Decimal;
  readonly high?: Decimal;
  readonly low?: Decimal;
  /** The venue's times (ms since 1970) of the start of the range and of the price; absent: later than every command. */
  readonly since?: number;
  readonly time?: number;
}

/** The price by which a command is judged, with the venue's time of it. Earlier prices never reach what the command sets. */
export interface CommandQuote {
  readonly price: Decimal;
  readonly time: number;
}

interface QuotedCommand {
  /** Absent: the execution has seen no price. */
  readonly quote?: CommandQuote;
}

/** The status of an order. `filled` is its filled quantity as the exchange reports it. */
export interface OrderUpdate {
  readonly type: 'order';
  readonly leg: string;
  readonly revision: number;
  readonly status: 'open' | 'filled' | 'cancelled' | 'expired' | 'rejected';
  readonly filled: Decimal;
  /** Why the exchange refused or ended the order. */
  readonly reason?: string;
}

/** One trade of an order. Fees in a third asset are left out, because they do not change the position. */
export interface OrderFill extends TradedAmounts {
  readonly type: 'fill';
  readonly leg: string;
  readonly revision: number;
  readonly tradeId: string;
  /** Funding of the closed quantity, received (above 0) or paid; absent: none. */
  readonly funding?: Decimal;
}

/** The exchange has closed the position or a part of it. */
export interface Liquidation {
  readonly type: 'liquidated';
  /** Default: `liquidation`. */
  readonly closedBy?: ForcedClose;
  readonly tradeId: string;
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly quoteFee: Decimal;
  /** See `OrderFill`. */
  readonly funding?: Decimal;
}

export interface TakeProfitCommand extends QuotedCommand {
  readonly type: 'take_profit';
  readonly id: string;
  readonly orderType: 'limit' | 'market';
  /** Required for a limit order. */
  readonly price: Decimal | null;
  /** Percent of the position, above 0 and at most 100. */
  readonly percent: Decimal;
  /** The trailing stop of the rest; required below 100 percent. */
  readonly stop: TrailingTerms | null;
}

export interface TrailingStopCommand extends QuotedCommand {
  readonly type: 'trailing_stop';
  readonly stop: TrailingTerms;
}

export interface RebuyCommand extends QuotedCommand {
  readonly type: 'rebuy';
  readonly id: string;
  readonly min: Decimal;
  readonly max: Decimal;
  /** Quote units, without leverage. */
  readonly amount: Decimal;
  readonly stop: TrailingTerms | null;
}

export interface DcaCommand extends QuotedCommand {
  readonly type: 'dca';
  readonly id: string;
  readonly price: Decimal;
  readonly multiplier: Decimal;
}

/** New prices; a leg that is left out keeps its price. */
export interface UpdatePricesCommand extends QuotedCommand {
  readonly type: 'update_prices';
  readonly entries?: Readonly<
    Record<string, { readonly price?: Decimal; readonly zoneEnd?: Decimal | null }>
  >;
  readonly targets?: Readonly<Record<string, Decimal>>;
  readonly stopLoss?: Decimal;
}
