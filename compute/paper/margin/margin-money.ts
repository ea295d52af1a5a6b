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

/** What a position has gained at the last price of its pair; nothing while that is not known. */
const gainOf = (position: MarginPosition, prices: PairPrices): Decimal => {
  const price = prices.get(pairName(position.pair));
  return price ? gainAt(position, price) : Decimal.zero;
};

/** What open orders keep from other uses. */
const lockedByOrders = ({ orders }: MarginAccount): Decimal =>
  Decimal.sum(orders.filter(isOpenMarginOrder).map((order) => order.marginEach.times(leftOf(order))));

export const leftOf = (order: MarginOrder): Decimal => order.quantity.minus(progressOfMargin(order).filled);

/** What the wallet has beside the margin of positions and orders, before gains and losses that are not realised. */
export const unlockedOf = (account: MarginAccount): Decimal =>
  account.wallet
    .minus(Decimal.sum(account.positions.map(({ margin }) => margin)))
    .minus(lockedByOrders(account));

/** Gains less losses of all cross positions at the last prices. */
const crossGain = ({ positions }: MarginAccount, prices: PairPrices): Decimal =>
  Decimal.sum(positions.filter(({ mode }) => mode === 'CROSS').map((position) => gainOf(position, prices)));

/**
 * What a new order may use. A gain of cross positions that is not realised backs more cross positions, and nothing else; a loss
 * is taken off for all.
 */
export function freeMargin(account: MarginAccount, prices: PairPrices, mode: MarginMode): Decimal {
  const gain = crossGain(account, prices);
  const counted = mode === 'ISOLATED' && gain.sign > 0 ? Decimal.zero : gain;
  return account.wallet.sign < 0 ? Decimal.zero : unlockedOf(account).plus(counted);
}

/** The part of the wallet that backs cross positions: all but what isolated positions have of their own. */
const crossWallet = ({ wallet, positions }: MarginAccount): Decimal =>
  wallet.minus(Decimal.sum(positions.filter(({ mode }) => mode === 'ISOLATED').map(({ margin }) => margin)));

/**
 * What the losses of a position may use up, and its maintenance margin with them: its own margin, or in a cross account
 * what the others leave at the last prices.
 */
export function backingOf(account: MarginAccount, position: MarginPosition, prices: PairPrices): Decimal {
  if (position.mode === 'ISOLATED') return position.margin;
  const others = account.positions.filter((each) => each.mode === 'CROSS' && each !== position);
  return crossWallet(account).plus(Decimal.sum(others.map((each) => surplusOf(each, prices))));
}

/** The most that a loss of a position can take: what backs it, without gains of others that are not realised. */
export const mostLossOf = (account: MarginAccount, position: MarginPosition): Decimal => {
  const most = position.mode === 'ISOLATED' ? position.margin : crossWallet(account);
  return most.sign < 0 ? Decimal.zero : most;
};

/** The gain of a position less the maintenance margin that it needs. */
export function surplusOf(position: MarginPosition, prices: PairPrices): Decimal {
  const price = prices.get(pairName(position.pair));
  const value = price ? sizeOf(position.quantity).times(price) : position.entryValue;
  return gainOf(position, prices).minus(maintenanceOf(value));
}
