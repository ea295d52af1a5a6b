import { Decimal } from './decimal.js';

/** What an exchange requires of the orders of a pair. Prices are in quote units, quantities in base units. */
export interface PairRules {
  /** Prices are multiples of it. */
  readonly tickSize: Decimal;
  /** Quantities are multiples of it. */
  readonly stepSize: Decimal;
  readonly minQuantity: Decimal;
  /** The least value of an order: price times quantity. */
  readonly minNotional: Decimal;
}

/** Decimal places of a quotient, before it is rounded to a step. */
export const quotientPlaces = 18;

const hundred = Decimal.parse('100');

/** A percentage of a value, rounded down at the last place. */
export const percentOf = (value: Decimal, percent: Decimal): Decimal =>
  value.times(percent).dividedBy(hundred, quotientPlaces, 'floor');

/** The largest quantity that the exchange accepts as a multiple of its step and that costs at most `value` at this price. */
export const quantityWorth = (value: Decimal, price: Decimal, rules: PairRules): Decimal =>
  price.sign <= 0 ? Decimal.zero : quantityOnStep(value.dividedBy(price, quotientPlaces, 'floor'), rules);

/** The largest quantity of at most `quantity` that the exchange accepts as a multiple of its step; 0 or above. */
export const quantityOnStep = (quantity: Decimal, rules: PairRules): Decimal =>
  quantity.sign <= 0 ? Decimal.zero : quantity.toStep(rules.stepSize, 'floor');

/** A buy price is rounded down to the tick and a sell price up, so that rounding never worsens the price. */
export const priceOnTick = (price: Decimal, orderSide: 'buy' | 'sell', rules: PairRules): Decimal =>
  price.toStep(rules.tickSize, orderSide === 'buy' ? 'floor' : 'ceil');

/** Whether the exchange accepts an order of this size. */
export const isTradable = (quantity: Decimal, price: Decimal, rules: PairRules): boolean =>
  quantity.sign > 0 &&
  quantity.compare(rules.minQuantity) >= 0 &&
  quantity.times(price).compare(rules.minNotional) >= 0;
