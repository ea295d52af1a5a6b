import { Decimal } from '../../model/decimal.js';
import { matchOrder, roundedFee, type TradeFees } from '../match-order.js';
import type { PaperEvent } from '../paper-order.js';
import { bookMarginFill, withFunding } from './book-margin-fill.js';
import { liquidateReached, type TickScene } from './liquidate-reached.js';
import { isBeyond, liquidationLevel } from './liquidation-level.js';
import {
  openOrdersOf,
  positionOf,
  progressOfMargin,
  sizeOf,
  withEvent,
  withPosition,
  type MarginAccount,
  type MarginOrder,
} from './margin-account.js';
import type { MarketTick } from '../../model/market-tick.js';
import { mostLossOf } from './margin-money.js';
import type { MarginTerms } from './margin-terms.js';

const places = 12;

/**
 * The account after each funding time up to the tick for which the position of its pair was held and did not pay yet, at the
 * price of the tick. An isolated position pays out of its margin, a cross position out of the wallet that backs it, and neither
 * pays more than there is.
 */
function payFunding(account: MarginAccount, tick: MarketTick, terms: MarginTerms): MarginAccount {
  const position = positionOf(account, tick.pair);
  if (!position) return account;
  const { fundingEveryMs, fundingRate, funding } = terms;
  const times = Math.floor(tick.at / fundingEveryMs) - Math.floor(position.fundedUntil / fundingEveryMs);
  if (times <= 0) return account;
  const value = sizeOf(position.quantity).times(tick.price);
  const due = value
    .times(fundingRate)
    .times(Decimal.read(String(times)))
    .round(places, 'ceil');
  const receives = funding === 'between' && position.quantity.sign < 0;
  const most = mostLossOf(account, position);
  const amount = receives ? due : (due.compare(most) < 0 ? due : most).negated();
  const paid = { ...position, fundedUntil: tick.at, funding: position.funding.plus(amount) };
  const margin = position.mode === 'ISOLATED' ? position.margin.plus(amount) : position.margin;
  return withPosition({ ...account, wallet: account.wallet.plus(amount) }, { ...paid, margin });
}

/** Fees are taken from the wallet. */
const quoteFees: TradeFees = (_side, quantity, price, rate) => ({
  baseFee: Decimal.zero,
  quoteFee: roundedFee(quantity.times(price), rate),
});

/**
 * The account after a tick. First funding is paid, then orders reduce the position, then the position is liquidated, then orders
 * add to it. An order that would be filled beyond the liquidation price comes after the liquidation. A repeated tick does
 * nothing.
 */
export function advanceMargin(account: MarginAccount, scene: TickScene): MarginAccount {
  const { tick, market } = scene;
  const held = positionOf(account, tick.pair);
  const isWhole = held !== undefined && held.changedAt <= tick.since;
  const isNew = held !== undefined && held.changedAt < tick.at;
  const funded = payFunding(account, tick, market.terms);
  const reduced = match(funded, scene, (order, event) => order.reduces && !isTooLate(funded, event, scene));
  const range = isWhole ? tick : { ...tick, high: tick.price, low: tick.price };
  const liquidated = isNew ? liquidateReached(reduced, { ...scene, tick: range }) : reduced;
  return match(liquidated, scene, () => true);
}

function match(
  account: MarginAccount,
  { tick, market }: TickScene,
  isDue: (order: MarginOrder, event: PaperEvent) => boolean,
): MarginAccount {
  let now = account;
  for (const order of openOrdersOf(account, tick.pair)) {
    const matched = matchOrder(order, progressOfMargin(order), tick, market, quoteFees);
    if (!matched || !isDue(order, matched)) continue;
    const event = matched.fill ? { ...matched, fill: withFunding(now, order, matched.fill) } : matched;
    now = withEvent(now, order.id, event);
    if (event.fill) now = bookMarginFill(now, order, event.fill, tick.at);
  }
  return now;
}

/** Whether a trade would close the position at a price at which it is liquidated. */
function isTooLate(account: MarginAccount, { fill }: PaperEvent, scene: TickScene): boolean {
  const { tick, prices, market } = scene;
  const position = positionOf(account, tick.pair);
  if (!position || !fill) return false;
  const level = liquidationLevel(account, position, prices, market.rules);
  return level !== null && isBeyond(position, fill.price, level);
}
