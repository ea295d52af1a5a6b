/** A trade with figures as text; `fee` is in quote units. */
export interface PlainFill {
  side: 'buy' | 'sell';
  quantity: string;
  price: string;
  baseFee: string;
  fee: string;
}

/** An exact fraction. */
type Fraction = readonly [above: bigint, below: bigint];

const fraction = (text: string): Fraction => {
  const [whole, part = ''] = text.split('.');
  return [BigInt(whole + part), 10n ** BigInt(part.length)];
};
const reduced = ([above, below]: Fraction): Fraction => {
  let [one, other] = [above < 0n ? -above : above, below];
  while (other !== 0n) [one, other] = [other, one % other];
  return one === 0n ? [0n, 1n] : [above / one, below / one];
};
const add = (one: Fraction, other: Fraction): Fraction =>
  reduced([one[0] * other[1] + other[0] * one[1], one[1] * other[1]]);
const negative = ([above, below]: Fraction): Fraction => [-above, below];
const times = (one: Fraction, other: Fraction): Fraction => reduced([one[0] * other[0], one[1] * other[1]]);
const over = (one: Fraction, other: Fraction): Fraction =>
  times(one, other[0] < 0n ? [-other[1], -other[0]] : [other[1], other[0]]);
const sign = ([above]: Fraction): number => (above < 0n ? -1 : Number(above > 0n));
const zero: Fraction = [0n, 1n];

/** A fraction as a float with 30 digits behind the point looked at. */
const asNumber = ([above, below]: Fraction): number => {
  const scaled = (above * 10n ** 30n) / below;
  const text = String(scaled < 0n ? -scaled : scaled).padStart(31, '0');
  return (scaled < 0n ? -1 : 1) * Number(`${text.slice(0, -30)}.${text.slice(-30)}`);
};

/**
 * Profit of trades by average price, in exact fractions and by unit price instead of by total cost: the slow way, apart from
 * the code under test. `quoteChange`: what the quote balance has changed by. `isOnlyFromHere`: whether nothing was taken from
 * elsewhere.
 */
export function averageCostModel(fills: readonly PlainFill[]): {
  profit: number;
  quoteChange: number;
  isOnlyFromHere: boolean;
} {
  let held = zero;
  let unitCost = zero;
  let profit = zero;
  let quoteChange = zero;
  let isOnlyFromHere = true;
  for (const { side, quantity, price, baseFee, fee } of fills) {
    const value = times(fraction(quantity), fraction(price));
    const signed = side === 'buy' ? fraction(quantity) : negative(fraction(quantity));
    const change = add(signed, negative(fraction(baseFee)));
    const money = add(side === 'buy' ? negative(value) : value, negative(fraction(fee)));
    quoteChange = add(quoteChange, money);
    const after = add(held, change);
    if (sign(held) * sign(change) >= 0) {
      unitCost = sign(after) === 0 ? zero : over(add(times(held, unitCost), negative(money)), after);
      held = after;
      continue;
    }
    const isBeyond = sign(after) * sign(held) < 0;
    const closed = isBeyond ? negative(held) : change;
    // Sold for the money, bought for the unit cost.
    profit = add(profit, add(money, times(closed, unitCost)));
    if (isBeyond) {
      profit = add(profit, times(after, fraction(price)));
      isOnlyFromHere = false;
    }
    held = isBeyond ? zero : after;
  }
  return { profit: asNumber(profit), quoteChange: asNumber(quoteChange), isOnlyFromHere };
}
