import { Decimal } from './decimal.js';

/** What an exchange requires of the orders of a pair. Prices are in quote units, quantities in base units. */
export interface PairRules {
  /** Prices are multiples of it. */
  readonly tickSize: Decimal;
  /** Quantities are multiples of it. */
  readonly stepSize: Decimal;
  readonly minQuantity: Decimal;
  /** The largest quantity of one order, and of one at market where that is less; absent: the exchange names none. */
  readonly maxQuantity?: Decimal;
  readonly maxMarketQuantity?: Decimal;
  /**
   * How far the price of an order may be from the market: the highest and lowest multiple of its price, for purchases and for sales;
   * absent: the exchange names none.
   */
  readonly mostBuyRatio?: Decimal;
  readonly leastBuyRatio?: Decimal;
  readonly mostSellRatio?: Decimal;
  readonly leastSellRatio?: Decimal;
  /** The least value of an order: price times quantity. */
  readonly minNotional: Decimal;
  /** Whether orders that only reduce a position may be worth less, as on futures; absent: they may not. */
  readonly isReduceExempt?: boolean;
  /** Whether the fee of a purchase is taken from what is bought, or paid beside it in the quote asset; absent: not known. */
  readonly feesIn?: 'base' | 'quote';
}

/** Whether two readings of the rules of a pair are the same. */
export const isSameRules = (one: PairRules, other: PairRules): boolean =>
  Object.keys({ ...one, ...other }).every(
    (name) => String(one[name as keyof PairRules]) === String(other[name as keyof PairRules]),
  );

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

/** The price nearest to `price` that the exchange takes while the market is at `market`, on the tick. */
export function priceInBand(
  price: Decimal,
  side: 'buy' | 'sell',
  { market, rules }: { market: Decimal; rules: PairRules },
): Decimal {
  const [most, least] =
    side === 'buy' ? [rules.mostBuyRatio, rules.leastBuyRatio] : [rules.mostSellRatio, rules.leastSellRatio];
  const highest = most && market.times(most).toStep(rules.tickSize, 'floor');
  const lowest = least && market.times(least).toStep(rules.tickSize, 'ceil');
  if (highest && price.compare(highest) > 0) return highest;
  return lowest && price.compare(lowest) < 0 ? lowest : price;
}

/** Whether the exchange accepts an order of this size. */
export const isTradable = (quantity: Decimal, price: Decimal, rules: PairRules): boolean =>
  quantity.sign > 0 &&
  quantity.compare(rules.minQuantity) >= 0 &&
  quantity.times(price).compare(rules.minNotional) >= 0;

/** The smallest quantity that an order can reduce a position by; less than it is dust. */
export const leastReduced = ({ isReduceExempt, minQuantity, stepSize }: PairRules): Decimal =>
  isReduceExempt || minQuantity.compare(stepSize) < 0 ? stepSize : minQuantity;

/** Whether the exchange accepts an order of this size that only reduces a position. */
export const isReducible = (quantity: Decimal, price: Decimal, rules: PairRules): boolean =>
  quantity.compare(leastReduced(rules)) >= 0 &&
  (rules.isReduceExempt === true || quantity.times(price).compare(rules.minNotional) >= 0);

/**
 * The highest fee of a purchase or sale, in percent, without volume or discounts: KuCoin takes 0.3 for coins of class C ("VIP Level & Fee
 * Rates"), Bybit 0.25 in the European Economic Area, others 0.1.
 */
export const highestFeePercent = Decimal.parse('0.3');

/** What is left of a purchase after the highest fee in the bought asset. */
export const leastBought = Decimal.parse('0.997');

/** Whether a purchase could be sold again at its stop. Without a stop nothing is asked. */
export const isSellableAt = (
  stop: Decimal | null,
  quantity: Decimal,
  price: Decimal,
  rules: PairRules,
): boolean =>
  !stop || isReducible(quantityOnStep(quantity.times(leastBought), rules), Decimal.min(price, stop), rules);
