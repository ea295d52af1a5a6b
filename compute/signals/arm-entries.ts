import { Decimal } from '../model/decimal.js';
import { hasEntered, type EntryLeg, type Execution } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';
import { isAtOrBetter, isAtOrWorse } from './execution-side.js';
import {
  isSellableAt,
  isTradable,
  percentOf,
  priceOnTick,
  quantityWorth,
  quotientPlaces,
} from '../model/pair-rules.js';
import { seenBy, type PriceRange } from './arm-targets.js';

/** Arms the entries that the price has reached: their orders are placed next. */
export function armEntries(draft: ExecutionDraft, range: PriceRange): void {
  if (draft.now.isHalted) return;
  for (const leg of draft.now.entries)
    if (leg.state === 'waiting' && isDue(draft.now, leg, range)) armEntry(draft, leg, range.price);
}

function isDue(execution: Execution, leg: EntryLeg, range: PriceRange): boolean {
  const { side } = execution;
  const seen = seenBy(leg, range);
  if (!seen) return false;
  const { price, best, worst } = seen;
  if (leg.kind !== 'entry' && !hasEntered(execution)) return false;
  // An earlier order of the leg may still be filled. How much is left to buy is known once it has ended.
  if (execution.orders.some((order) => order.leg === leg.id)) return false;
  if (leg.type === 'market') return isAtOrWorse(side, price, leg.price);
  return isAtOrWorse(side, worst, leg.price) && (!leg.zoneEnd || isAtOrBetter(side, best, leg.zoneEnd));
}

/** Arms an entry with the rest of its amount, reduced to what the investment limit of the subscriber allows. */
function armEntry(draft: ExecutionDraft, leg: EntryLeg, price: Decimal): void {
  const { side, rules, leverage, maxInvested, position, stop, pendingStop } = draft.now;
  const worst = worstPrice(draft.now, leg, price);
  const orderPrice = priceOnTick(worst, side === 'long' ? 'buy' : 'sell', rules);
  const spent = leg.filledValue ?? leg.filled.times(leg.price);
  const due = leg.amount.minus(withoutLeverage(spent, leverage));
  const allowed = maxInvested.minus(committed(draft.now));
  const isCut = allowed.compare(due) < 0;
  const value = (isCut ? allowed : due).times(Decimal.read(String(leverage)));
  // A short at market is filled above its worst price: the present price says what it is worth.
  const isShortAtMarket = leg.type === 'market' && side === 'short';
  const quantity = quantityWorth(value, isShortAtMarket ? price : orderPrice, rules);
  const figures = { leg: leg.id, price: orderPrice.toString(), quantity: quantity.toString() };
  const held = position.quantity.plus(quantity);
  const isTooSmall = !isTradable(quantity, orderPrice, rules);
  const trigger = (stop ?? pendingStop)?.trigger ?? null;
  if (isTooSmall || !isSellableAt(trigger, held, orderPrice, rules)) {
    draft.setEntry(leg.id, { state: 'withdrawn' });
    const cause = isCut
      ? 'the limit of the investment is reached'
      : isTooSmall
        ? 'the order is below the minimum of the exchange'
        : 'what it buys could not be sold at the stop';
    return draft.note('entry_refused', cause, figures);
  }
  draft.setEntry(leg.id, { state: 'armed', worst, quantity: leg.filled.plus(quantity) });
  const cut = isCut ? '; the amount is reduced to the limit of the investment' : '';
  draft.note('entry_reached', `the entry price was reached${cut}`, figures);
}

/** The worst price of an entry at the present price: that of the signal, or of the subscriber's slippage if it is better. */
function worstPrice({ side, maxSlippagePercent }: Execution, leg: EntryLeg, price: Decimal): Decimal {
  if (!maxSlippagePercent) return leg.price;
  const slippage = percentOf(price, maxSlippagePercent);
  return side === 'long'
    ? Decimal.min(leg.price, price.plus(slippage))
    : leg.price.compare(price.minus(slippage)) > 0
      ? leg.price
      : price.minus(slippage);
}

/** What is invested, and what orders may still invest, in quote units without leverage. */
function committed({ entries, orders, position, leverage, lastPrice }: Execution): Decimal {
  const armed = entries.filter(({ state }) => state === 'armed');
  const open = armed.map(({ quantity, filled, price, worst = price }) =>
    quantity!.minus(filled).times(worst),
  );
  // Orders that are being cancelled may be filled until the exchange says how they ended.
  const leaving = orders
    .filter(({ leg, reduces }) => !reduces && !armed.some(({ id }) => id === leg))
    .map(({ quantity, filled, price }) => quantity.minus(filled).times(price ?? lastPrice!));
  const value = [...open, ...leaving].reduce((sum, one) => sum.plus(one), position.entryValue);
  return withoutLeverage(value, leverage);
}

const withoutLeverage = (value: Decimal, leverage: number): Decimal =>
  value.dividedBy(Decimal.read(String(leverage)), quotientPlaces, 'ceil');
