import { assetField } from '../model/asset-fields.js';
import { AppError } from '../model/errors.js';
import { field, type Value } from '../model/field.js';
import type { PairCandles } from '../task.js';

export const bookHoldingFields = {
  asset: assetField,
  quantity: field.number('quantity held; below 0 for a debt', { unit: 'base' }),
};

export const bookHolding = field.object('a holding', bookHoldingFields);

export type BookHolding = Value<typeof bookHolding>;

/** A holding and its value in the quote currency. */
export interface BookPosition extends BookHolding {
  /** The last close; 1 for the quote currency itself. */
  price: number;
  value: number;
  /** The value divided by the gross value of the book, with the sign of the quantity; 0 in a book without a value. */
  weight: number;
}

/** Holdings with their values, in the order in which the assets are first named. */
export interface Book {
  positions: BookPosition[];
  /** Sum of the values; debts count negative. */
  value: number;
  /** Sum of the absolute values. */
  grossValue: number;
}

/** A sum below this share of the asset's turnover is a rounding error and counts as 0. */
const leastShare = 1e-12;

/** Adds up the holdings of each asset; assets whose sum is 0 are left out. */
export function addHoldings(holdings: readonly BookHolding[]): BookHolding[] {
  const sums = new Map<string, { net: number; turnover: number }>();
  for (const { asset, quantity } of holdings) {
    const { net, turnover } = sums.get(asset) ?? { net: 0, turnover: 0 };
    sums.set(asset, { net: net + quantity, turnover: turnover + Math.abs(quantity) });
  }
  return [...sums].flatMap(([asset, { net, turnover }]) =>
    Math.abs(net) > leastShare * turnover ? [{ asset, quantity: net }] : [],
  );
}

/** The holdings valued at the given prices. */
export function valueBook(holdings: readonly BookHolding[], prices: ReadonlyMap<string, number>): Book {
  const valued = holdings.map(({ asset, quantity }) => {
    const price = prices.get(asset)!;
    return { asset, quantity, price, value: quantity * price };
  });
  const grossValue = valued.reduce((sum, { value }) => sum + Math.abs(value), 0);
  return {
    positions: valued.map((each) => ({ ...each, weight: grossValue > 0 ? each.value / grossValue : 0 })),
    value: valued.reduce((sum, { value }) => sum + value, 0),
    grossValue,
  };
}

/** The last close of every asset held. Throws `invalid_input` for an asset that is not among the pairs. */
export function pricesOf(
  holdings: readonly BookHolding[],
  pairs: readonly PairCandles[],
  quote: string | undefined,
): Map<string, number> {
  const known = new Map(pairs.map(({ asset, candles }) => [asset, candles.close.at(-1)]));
  if (quote !== undefined) known.set(quote, 1);
  return new Map(holdings.map(({ asset }) => [asset, known.get(asset) ?? noPrice(asset)]));
}

function noPrice(asset: string): never {
  throw new AppError('invalid_input', `there is no price of "${asset}"`, {
    details: { field: 'positions', asset },
  });
}
