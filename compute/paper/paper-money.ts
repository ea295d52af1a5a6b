import type { Decimal } from '../model/decimal.js';
import type { PaperFill, PaperOrder } from './paper-order.js';

/** An amount of an asset. As a change, it is below 0 if it leaves the account. */
export interface AssetAmount {
  readonly asset: string;
  readonly amount: Decimal;
}

/** What an open order locks: a purchase the most that it may cost, a sale what it sells. */
export function lockOf({ pair, side, quantity, bound }: PaperOrder, filled: Decimal): AssetAmount {
  const left = quantity.minus(filled);
  return side === 'buy'
    ? { asset: pair.quote, amount: left.times(bound!) }
    : { asset: pair.base, amount: left };
}

/** What a fill changes in the account: the base asset first. */
export function changesOf(
  { pair, side }: Pick<PaperOrder, 'pair' | 'side'>,
  { quantity, price, baseFee, quoteFee }: PaperFill,
): [AssetAmount, AssetAmount] {
  const value = quantity.times(price);
  const [base, quote] =
    side === 'buy'
      ? [quantity.minus(baseFee), negative(value.plus(quoteFee))]
      : [negative(quantity.plus(baseFee)), value.minus(quoteFee)];
  return [
    { asset: pair.base, amount: base },
    { asset: pair.quote, amount: quote },
  ];
}

const negative = (value: Decimal): Decimal => value.negated();
