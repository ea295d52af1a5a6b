import { Decimal } from '../../model/decimal.js';
import { pairName } from '../../model/market-pair.js';
import type { MarginMode } from '../../model/trading-account.js';
import {
  isOpenMarginOrder,
  progressOfMargin,
  sizeOf,
  type MarginAccount,
  type MarginOrder,
  type MarginPosition,
  type PairPrices,
} from './margin-account.js';
import { maintenanceOf } from './margin-brackets.js';

/** What a position has gained at a price; below 0 for a loss. In quote units. */
export const gainAt = ({ quantity, entryValue }: MarginPosition, price: Decimal): Decimal => {
  const value = quantity.times(price);
  return quantity.sign > 0 ? value.minus(entryValue) : value.plus(entryValue);
};

/** What a position has gained at the last price of its pair; 0 while that price is unknown. */
const gainOf = (position: MarginPosition, prices: PairPrices): Decimal => {
  const price = prices.get(pairName(position.pair));
  return price ? gainAt(position, price) : Decimal.zero;
};

/** The margin that open orders lock. */
const lockedByOrders = ({ orders }: MarginAccount): Decimal =>
  Decimal.sum(orders.filter(isOpenMarginOrder).map((order) => order.marginEach.times(leftOf(order))));

/** The part of an order that is not filled. */
export const leftOf = (order: MarginOrder): Decimal => order.quantity.minus(progressOfMargin(order).filled);

/** The wallet less the margin of positions and orders. Unrealised gains and losses do not count. */
export const unlockedOf = (account: MarginAccount): Decimal =>
  account.wallet
    .minus(Decimal.sum(account.positions.map(({ margin }) => margin)))
    .minus(lockedByOrders(account));

/** Gains less losses of all cross positions at the last prices. */
const crossGain = ({ positions }: MarginAccount, prices: PairPrices): Decimal =>
  Decimal.sum(positions.filter(({ mode }) => mode === 'CROSS').map((position) => gainOf(position, prices)));

/**
 * The margin that a new order may use, 0 or above. An unrealised gain of cross positions counts only for cross orders; an unrealised loss of
 * theirs lowers the margin of all orders.
 */
export function freeMargin(account: MarginAccount, prices: PairPrices, mode: MarginMode): Decimal {
  const gain = crossGain(account, prices);
  const counted = mode === 'ISOLATED' && gain.sign > 0 ? Decimal.zero : gain;
  const free = unlockedOf(account).plus(counted);
  return account.wallet.sign < 0 || free.sign < 0 ? Decimal.zero : free;
}

/** The part of the wallet that backs cross positions: all but the margin of isolated positions. */
const crossWallet = ({ wallet, positions }: MarginAccount): Decimal =>
  wallet.minus(Decimal.sum(positions.filter(({ mode }) => mode === 'ISOLATED').map(({ margin }) => margin)));

/**
 * What backs the losses and the maintenance margin of a position: its own margin if it is isolated; otherwise the cross wallet
 * and the surplus of the other cross positions at the last prices.
 */
export function backingOf(account: MarginAccount, position: MarginPosition, prices: PairPrices): Decimal {
  if (position.mode === 'ISOLATED') return position.margin;
  const others = account.positions.filter((each) => each.mode === 'CROSS' && each !== position);
  return crossWallet(account).plus(Decimal.sum(others.map((each) => surplusOf(each, prices))));
}

/** The largest loss that a position can book: its backing, without unrealised gains of other positions; 0 or above. */
export const mostLossOf = (account: MarginAccount, position: MarginPosition): Decimal => {
  const most = position.mode === 'ISOLATED' ? position.margin : crossWallet(account);
  return most.sign < 0 ? Decimal.zero : most;
};

/** The gain of a position less its maintenance margin. */
export function surplusOf(position: MarginPosition, prices: PairPrices): Decimal {
  const price = prices.get(pairName(position.pair));
  const value = price ? sizeOf(position.quantity).times(price) : position.entryValue;
  return gainOf(position, prices).minus(maintenanceOf(value));
}
