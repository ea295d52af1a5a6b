import { Decimal } from '../model/decimal.js';

/** An amount of an asset; the change of one may be below 0. */
export interface HeldAmount {
  readonly asset: string;
  readonly quantity: Decimal;
}

/** The value of an account in the quote currency, and the assets without a price, which are not part of it. */
export function accountValue(
  held: readonly HeldAmount[],
  prices: ReadonlyMap<string, Decimal>,
): { value: Decimal; unpriced: string[] } {
  const priced = held.filter(({ asset }) => prices.has(asset));
  return {
    value: worth(priced, prices),
    unpriced: held.filter(({ asset }) => !prices.has(asset)).map(({ asset }) => asset),
  };
}

/**
 * What was paid into an account (above 0) or out of it, at present prices: the changes of its balances that no trade explains.
 * A purchase that is known late is a change of two balances which nearly cancel each other out.
 */
export function accountFlow(
  before: readonly HeldAmount[],
  after: readonly HeldAmount[],
  traded: readonly HeldAmount[],
  prices: ReadonlyMap<string, Decimal>,
): Decimal {
  const unexplained = [...after, ...negatedAmounts(before), ...negatedAmounts(traded)];
  return worth(
    unexplained.filter(({ asset }) => prices.has(asset)),
    prices,
  );
}

/** The same amounts with the other sign. */
export const negatedAmounts = (held: readonly HeldAmount[]): HeldAmount[] =>
  held.map(({ asset, quantity }) => ({ asset, quantity: quantity.negated() }));

/** One amount for each asset; assets of which nothing is left are left out. */
export function addUpAmounts(held: readonly HeldAmount[]): HeldAmount[] {
  const sums = new Map<string, Decimal>();
  for (const { asset, quantity } of held) sums.set(asset, (sums.get(asset) ?? Decimal.zero).plus(quantity));
  return [...sums]
    .map(([asset, quantity]) => ({ asset, quantity }))
    .filter(({ quantity }) => quantity.sign !== 0);
}

const worth = (held: readonly HeldAmount[], prices: ReadonlyMap<string, Decimal>): Decimal =>
  Decimal.sum(held.map(({ asset, quantity }) => quantity.times(prices.get(asset)!)));
