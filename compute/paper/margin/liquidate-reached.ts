import { Decimal } from '../../model/decimal.js';
import { pairName } from '../../model/market-pair.js';
import { roundedFee } from '../match-order.js';
import type { PaperFill } from '../paper-order.js';
import { bookMarginFill } from './book-margin-fill.js';
import { isBeyond, lastPriceOf, liquidationLevel } from './liquidation-level.js';
import {
  openOrdersOf,
  positionOf,
  progressOfMargin,
  sizeOf,
  withEvent,
  type MarginAccount,
  type MarginOrder,
  type MarginPosition,
  type PairPrices,
} from './margin-account.js';
import { gainAt, mostLossOf } from './margin-money.js';
import type { MarginTerms, MarginMarket } from './margin-terms.js';
import type { MarketTick } from '../../model/market-tick.js';

/** The reason that orders and trades of a liquidation show. */
const reason = 'the position was liquidated';

const places = 12;

/**
 * The account after the position of the tick's pair was liquidated, if the tick has reached the price for it. It is closed at
 * that price, or at the tick's where the tick jumped over it, and never at a loss above what backs it: the exchange bears
 * the rest. All orders of the pair end. In a cross account all cross positions are liquidated, those with a gain first, so that
 * their gains pay for the losses of the others.
 */
export function liquidateReached(account: MarginAccount, scene: TickScene): MarginAccount {
  const { tick, prices, market } = scene;
  const position = positionOf(account, tick.pair);
  const level = position && liquidationLevel(account, position, prices, market.rules);
  if (!position || !level) return account;
  const [worst, best] = position.quantity.sign > 0 ? [tick.low, tick.high] : [tick.high, tick.low];
  if (!isBeyond(position, worst, level)) return account;
  const isJump = isBeyond(position, best, level);
  const price = isJump ? tick.price : level;
  if (position.mode === 'ISOLATED') return liquidated(account, position, price, scene);
  const priceOf = (each: MarginPosition) => (each === position ? price : lastPriceOf(each, prices));
  return account.positions
    .filter(({ mode }) => mode === 'CROSS')
    .map((each) => ({ each, price: priceOf(each), gain: gainAt(each, priceOf(each)) }))
    .sort((one, other) => other.gain.compare(one.gain))
    .reduce((now, { each, price: trigger }) => liquidated(now, each, trigger, scene), account);
}

function liquidated(
  account: MarginAccount,
  position: MarginPosition,
  trigger: Decimal,
  { tick, market }: TickScene,
): MarginAccount {
  const { pair } = position;
  const ended = openOrdersOf(account, pair).reduce((now, order) => {
    const { next: number } = progressOfMargin(order);
    return withEvent(now, order.id, { number, kind: 'end', fill: null, end: 'expired', reason, at: tick.at });
  }, account);
  const fill = liquidationFill(position, trigger, mostLossOf(account, position), market.terms);
  const order = liquidationOrder(account, position, fill, tick.at);
  return bookMarginFill({ ...ended, orders: [...ended.orders, order] }, order, fill, tick.at);
}

/** A trade that closes the whole position at a loss of at most `mostLoss`, its fee included. */
function liquidationFill(
  { quantity, entryValue, funding }: MarginPosition,
  trigger: Decimal,
  mostLoss: Decimal,
  { liquidationFee }: MarginTerms,
): PaperFill {
  const size = sizeOf(quantity);
  const isLong = quantity.sign > 0;
  const worst = isLong
    ? entryValue.minus(mostLoss).dividedBy(size, places, 'ceil')
    : entryValue.plus(mostLoss).dividedBy(size, places, 'floor');
  const price = trigger.compare(worst) * quantity.sign < 0 ? worst : trigger;
  const value = size.times(price);
  const loss = isLong ? entryValue.minus(value) : value.minus(entryValue);
  const [fee, left] = [roundedFee(value, liquidationFee), mostLoss.minus(loss)];
  const quoteFee = fee.compare(left) < 0 ? fee : left;
  const paid = funding.sign === 0 ? {} : { funding };
  return { quantity: size, price, baseFee: Decimal.zero, quoteFee, ...paid };
}

const liquidationOrder = (
  { id }: MarginAccount,
  { pair, quantity, mode }: MarginPosition,
  fill: PaperFill,
  at: number,
): MarginOrder => ({
  id: `liquidation:${id}:${pairName(pair)}:${at}`,
  pair,
  side: quantity.sign > 0 ? 'sell' : 'buy',
  type: 'market',
  price: null,
  stopPrice: null,
  quantity: fill.quantity,
  bound: null,
  placedAt: at,
  owner: '',
  reduces: true,
  leverage: 1,
  mode,
  marginEach: Decimal.zero,
  events: [{ number: 0, kind: 'fill', fill, end: 'filled', reason, at }],
  isLiquidation: true,
});

/** A tick, and the facts that are needed to apply it to an account. */
export interface TickScene {
  readonly tick: MarketTick;
  /** The last prices of all pairs of the account, including the price of the tick. */
  readonly prices: PairPrices;
  readonly market: MarginMarket;
}
