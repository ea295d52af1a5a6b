import { Decimal } from '../model/decimal.js';
import { hundred, readPositive, readRate, refuseParam } from './decimal-params.js';

/** A ladder of buys. Every number is a decimal in a string; amounts in quote units. */
export interface DcaLadderParams {
  firstPrice: string;
  /** What the first order spends, fee apart. */
  firstAmount: string;
  /** Further orders below the first price: each spends the first amount times its multiplier. */
  levels: { buyPrice: string; multiplier: string }[];
  /** Below the lowest order; null for none. */
  stop: string | null;
  /** Of each order's worth, on top of a buy and off a sale. */
  feePercent: string;
  /** The exchange's step of quantity: an order buys as many as its amount pays for. */
  step: string;
}

/** One order, and the position once it and all before it are filled; decimals in strings. */
export interface LadderFill {
  price: string;
  quantity: string;
  /** Quantity times price, and the fee on it. */
  spent: string;
  fee: string;
  totalQuantity: string;
  /** Spent on all fills, fees included. */
  totalCost: string;
  /** Mean price of what is held, fees apart, to 8 places more than the prices have; null of nothing. */
  averageEntry: string | null;
  /** The price at which a sale gives back all cost, its own fee included; rounded up to as many places. */
  breakEven: string | null;
  /** How far price has to rise from this fill to get there, in percent, rounded up to 4 places; below 0 never. */
  riseToBreakEvenPercent: string | null;
  /** Cost less what the position brings at the stop after its fee; null without a stop. */
  lossAtStop: string | null;
  /** The same in percent of the cost, to 4 places. */
  lossAtStopPercent: string | null;
}

export interface DcaLadder {
  /** In the order in which a falling price fills them. */
  fills: LadderFill[];
  notes: string[];
}

/**
 * What a ladder of buys costs and needs after each fill, from the highest price down. Throws `invalid_input` with the field:
 * a level at or above the first price, a stop at or above the lowest, numbers out of range.
 */
export function estimateDcaLadder(params: DcaLadderParams): DcaLadder {
  const { orders, stop, fee, step, places } = readLadder(params);
  let quantity = Decimal.zero;
  let spent = Decimal.zero;
  const notes: string[] = [];
  const fills = orders.map(({ price, amount }): LadderFill => {
    const bought = amount.dividedBy(price.times(step), 0, 'floor').times(step);
    if (bought.sign === 0)
      notes.push(`${String(amount)} buys less than one step at ${String(price)}: no order there`);
    const paid = bought.times(price);
    quantity = quantity.plus(bought);
    spent = spent.plus(paid);
    const cost = spent.times(Decimal.one.plus(fee));
    const fill = {
      price: String(price),
      quantity: String(bought),
      spent: String(paid),
      fee: String(paid.times(fee)),
      totalQuantity: String(quantity),
      totalCost: String(cost),
    };
    if (quantity.sign === 0) return { ...fill, ...nothingHeld };
    const kept = quantity.times(Decimal.one.minus(fee));
    const breakEven = cost.dividedBy(kept, places + 8, 'ceil');
    const rise = breakEven.minus(price).times(hundred).dividedBy(price, 4, 'ceil');
    const loss = stop && cost.minus(kept.times(stop));
    return {
      ...fill,
      averageEntry: String(spent.dividedBy(quantity, places + 8, 'half-even')),
      breakEven: String(breakEven),
      riseToBreakEvenPercent: String(rise),
      lossAtStop: loss && String(loss),
      lossAtStopPercent: loss && String(loss.times(hundred).dividedBy(cost, 4, 'half-even')),
    };
  });
  return { fills, notes };
}

const nothingHeld = {
  averageEntry: null,
  breakEven: null,
  riseToBreakEvenPercent: null,
  lossAtStop: null,
  lossAtStopPercent: null,
};

function readLadder({ firstPrice, firstAmount, levels, stop: stopText, feePercent, step }: DcaLadderParams) {
  const first = {
    price: readPositive('firstPrice', firstPrice),
    amount: readPositive('firstAmount', firstAmount),
  };
  const further = levels.map(({ buyPrice, multiplier }, n) => ({
    price: readPositive(`levels.${n}.buyPrice`, buyPrice),
    amount: first.amount.times(readPositive(`levels.${n}.multiplier`, multiplier)),
  }));
  further.forEach(({ price }, n) => {
    if (price.compare(first.price) >= 0)
      refuseParam(
        `levels.${n}.buyPrice`,
        `has to lie below the first price ${firstPrice}, found ${String(price)}`,
      );
  });
  const orders = [first, ...further.sort((a, b) => b.price.compare(a.price))];
  const stop = stopText === null ? null : readPositive('stop', stopText);
  const lowest = orders[orders.length - 1].price;
  if (stop && stop.compare(lowest) >= 0)
    refuseParam('stop', `has to lie below the lowest order ${String(lowest)}, found ${String(stop)}`);
  return {
    orders,
    stop,
    fee: readRate('feePercent', feePercent),
    step: readPositive('step', step),
    places: Math.max(...orders.map(({ price }) => price.places)),
  };
}
