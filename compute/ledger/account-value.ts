import { Decimal } from '../model/decimal.js';

/** An amount of an asset. As a change, it may be below 0. */
export interface HeldAmount {
  readonly asset: string;
  readonly quantity: Decimal;
}

/** The value of an account in the quote currency. The value leaves out the assets without a price, which `unpriced` lists. */
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
 * A trade that is not known yet changes two balances by about the same value, so it hardly changes the result.
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

/** The sum of the amounts of each asset. Assets with a sum of 0 are left out. */
export function addUpAmounts(held: readonly HeldAmount[]): HeldAmount[] {
  const sums = new Map<string, Decimal>();
  for (const { asset, quantity } of held) sums.set(asset, (sums.get(asset) ?? Decimal.zero).plus(quantity));
  return [...sums]
    .map(([asset, quantity]) => ({ asset, quantity }))
    .filter(({ quantity }) => quantity.sign !== 0);
}

const worth = (held: readonly HeldAmount[], prices: ReadonlyMap<string, Decimal>): Decimal =>
  Decimal.sum(held.map(({ asset, quantity }) => quantity.times(prices.get(asset)!)));
