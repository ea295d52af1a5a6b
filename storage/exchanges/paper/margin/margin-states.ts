import { Decimal } from '../../../../compute/model/decimal.js';
import { pairName, type PairSymbols } from '../../../../compute/model/market-pair.js';
import type { PairRules } from '../../../../compute/model/pair-rules.js';
import type { TradingAccount } from '../../../../compute/model/trading-account.js';
import { demoPairRules } from '../../../../compute/paper/demo-pair-rules.js';
import { progressOfMargin, type MarginOrder } from '../../../../compute/paper/margin/margin-account.js';
import type { PositionAccount } from '../../../../compute/paper/margin/margin-terms.js';
import type { AccountFill, VenueOrderState } from '../../trading-venue.js';
import { marginIdOf, type StoredMargin } from './stored-margin.js';

/** The currency of margin and futures accounts. */
export const marginCurrency = 'USDT';

export const isPositionAccount = (account: TradingAccount): account is PositionAccount => account !== 'SPOT';

/** What accounts with positions require of a pair; null for a pair that is not quoted in their currency. */
export function marginRules(pair: PairSymbols, account: PositionAccount): PairRules | null {
  const rules = pair.quote === marginCurrency ? demoPairRules(pair) : null;
  return rules && account === 'FUTURES' ? { ...rules, isReduceExempt: true } : rules;
}

/** The rules of a pair that an account holds or has an order for. Such a pair was traded, so it has rules. */
export function knownRules(pair: PairSymbols): PairRules {
  const rules = marginRules(pair, 'MARGIN');
  if (!rules) throw new Error(`${pairName(pair)} is not traded on margin`);
  return rules;
}

/** An account that nothing has changed yet. */
export const freshMargin = (
  userId: string,
  account: PositionAccount,
  startingBalance: string,
): StoredMargin => ({
  userId,
  account,
  state: {
    id: marginIdOf({ userId, account }),
    wallet: Decimal.parse(startingBalance),
    positions: [],
    orders: [],
  },
  revision: null,
  writer: null,
});

export function stateOfMargin(order: MarginOrder): VenueOrderState {
  const { end, filled, reason } = progressOfMargin(order);
  return {
    clientOrderId: order.id,
    exchangeOrderId: `PAPER-${order.id}`,
    status: end ?? 'open',
    filled,
    fills: fillsOf(order),
    ...(reason !== null && { reason }),
  };
}

/** The trades of an order, and whether they liquidated. */
export const fillsOfAccount = (order: MarginOrder): AccountFill[] =>
  fillsOf(order).map((fill) => ({
    ...fill,
    isLiquidation: order.isLiquidation,
  }));

const fillsOf = ({ id, events }: MarginOrder) =>
  events.flatMap(({ fill, at, number }) => (fill ? [{ tradeId: `${id}.${number}`, ...fill, at }] : []));
