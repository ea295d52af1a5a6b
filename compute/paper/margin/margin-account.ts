import type { Decimal } from '../../model/decimal.js';
import { pairName, type PairSymbols } from '../../model/market-pair.js';
import type { MarginMode } from '../../model/trading-account.js';
import { progressOf, type PaperEvent, type PaperOrder, type PaperProgress } from '../paper-order.js';

/** An order of a margin account with its events. */
export interface MarginOrder extends PaperOrder {
  /** Id of the execution that it belongs to. */
  readonly owner: string;
  /** Whether it only reduces the position; otherwise it opens one or adds to it. */
  readonly reduces: boolean;
  readonly leverage: number;
  readonly mode: MarginMode;
  /** The margin that the order locks for each unit until it is filled; 0 for an order that reduces. */
  readonly marginEach: Decimal;
  readonly events: readonly PaperEvent[];
  /** Whether the exchange has created it to close a position whose margin is used up. */
  readonly isLiquidation: boolean;
}

/** The position of a pair, long or short. Values are in quote units. */
export interface MarginPosition {
  readonly pair: PairSymbols;
  /** Above 0 for a long, below 0 for a short; never 0. */
  readonly quantity: Decimal;
  /** What the quantity was worth when it was bought or sold; above 0. */
  readonly entryValue: Decimal;
  /** The margin that is set aside for it. Nothing else backs an isolated position. */
  readonly margin: Decimal;
  readonly mode: MarginMode;
  /** Ids of the executions that have opened it or added to it. */
  readonly owners: readonly string[];
  /** Funding or interest up to this time (ms since 1970) is paid. */
  readonly fundedUntil: number;
  /** The funding or interest that it has received (above 0) or paid for the quantity that is left. */
  readonly funding: Decimal;
  /** When it was last traded, in ms since 1970. */
  readonly changedAt: number;
}

/**
 * An account in one quote currency that holds positions. Its wallet changes with fees, funding and realised gains. The margin
 * of positions and orders is part of the wallet.
 */
export interface MarginAccount {
  /** Unique among all accounts of the exchange. */
  readonly id: string;
  readonly wallet: Decimal;
  readonly positions: readonly MarginPosition[];
  /** Open orders, and some that have ended. */
  readonly orders: readonly MarginOrder[];
}

/** The last prices of pairs, by name. */
export type PairPrices = ReadonlyMap<string, Decimal>;

export const progressOfMargin = ({ events }: MarginOrder): PaperProgress => progressOf(events);

export const isOpenMarginOrder = ({ events }: MarginOrder): boolean => (events.at(-1)?.end ?? null) === null;

export const positionOf = ({ positions }: MarginAccount, pair: PairSymbols): MarginPosition | undefined =>
  positions.find((each) => pairName(each.pair) === pairName(pair));

/** Open orders of a pair. */
export const openOrdersOf = ({ orders }: MarginAccount, pair: PairSymbols): MarginOrder[] =>
  orders.filter((order) => isOpenMarginOrder(order) && pairName(order.pair) === pairName(pair));

/** The quantity without its sign. */
export const sizeOf = (quantity: Decimal): Decimal => (quantity.sign < 0 ? quantity.negated() : quantity);

/** The account with `position` instead of the one of its pair. A position with a quantity of 0 is left out. */
export function withPosition(account: MarginAccount, position: MarginPosition): MarginAccount {
  const others = account.positions.filter(({ pair }) => pairName(pair) !== pairName(position.pair));
  return { ...account, positions: position.quantity.sign === 0 ? others : [...others, position] };
}

/** The account with one more event of an order. */
export const withEvent = (account: MarginAccount, id: string, event: PaperEvent): MarginAccount => ({
  ...account,
  orders: account.orders.map((order) =>
    order.id === id ? { ...order, events: [...order.events, event] } : order,
  ),
});
