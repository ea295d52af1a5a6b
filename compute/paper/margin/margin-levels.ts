import { pairName, type PairSymbols } from '../../model/market-pair.js';
import type { PairRules } from '../../model/pair-rules.js';
import { earliestLiquidationLevel } from './liquidation-level.js';
import {
  isOpenMarginOrder,
  progressOfMargin,
  type MarginAccount,
  type MarginPosition,
  type PairPrices,
} from './margin-account.js';
import { nextFundingAt, type MarginTerms } from './margin-terms.js';

/**
 * A price or time at which something happens in an account. `<`: a price of the pair at the level or below; `>`: a price at the
 * level or above; `@`: the level is a time in ms since 1970.
 */
export interface MarginLevel {
  readonly pair: string;
  readonly direction: '<' | '>' | '@';
  /** A double. Rounding to doubles keeps the order of prices. */
  readonly level: number;
}

/** A level that every price is below. */
const anyPrice = Number.MAX_VALUE;

/**
 * The levels of the account: prices that reach its orders, prices at which its positions may be liquidated, and funding times.
 * A tick that reaches none of them changes nothing.
 */
export function marginLevels(
  account: MarginAccount,
  prices: PairPrices,
  rulesOf: (pair: PairSymbols) => PairRules,
  terms: MarginTerms,
): MarginLevel[] {
  const orders = account.orders.filter(isOpenMarginOrder).map((order): MarginLevel => {
    const { type, side, price, stopPrice } = order;
    const isAny = type === 'market' || (type === 'stop' && progressOfMargin(order).isTriggered);
    const isFromAbove = isAny || (type === 'stop') === (side === 'sell');
    const level = isAny ? anyPrice : Number(String(stopPrice ?? price));
    return { pair: pairName(order.pair), direction: isFromAbove ? '<' : '>', level };
  });
  const positions = account.positions.flatMap((position): MarginLevel[] => {
    const pair = pairName(position.pair);
    const direction = position.quantity.sign > 0 ? '<' : '>';
    const funding = {
      pair,
      direction: '@',
      level: nextFundingAt(position.fundedUntil, terms),
    } as const;
    if (isUnknown(account, position, prices)) return [{ pair, direction: '<', level: anyPrice }, funding];
    const level = earliestLiquidationLevel(account, position, prices, rulesOf(position.pair));
    return level ? [{ pair, direction, level: Number(String(level)) }, funding] : [funding];
  });
  return [...orders, ...positions];
}

/** Whether the losses of other cross positions are unknown, because prices are missing. Then every price is examined. */
const isUnknown = ({ positions }: MarginAccount, position: MarginPosition, prices: PairPrices): boolean =>
  position.mode === 'CROSS' &&
  positions.some((each) => each !== position && each.mode === 'CROSS' && !prices.has(pairName(each.pair)));
