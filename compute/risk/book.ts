import type { Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import type { PairCandles } from '../task.js';

export interface Holding {
  asset: string;
  /** In units of the asset; below 0 for what is owed. */
  quantity: number;
}

/** What is held of an asset, and what it is worth in the quote currency. */
export interface BookPosition extends Holding {
  /** The last close; 1 for the quote currency itself. */
  price: number;
  value: number;
  /** The value against the sum of all values taken as positive; it has the sign of the quantity. */
  weight: number;
}

/** What is held, valued; assets in the order in which they were first named. */
export interface Book {
  positions: BookPosition[];
  /** What is held less what is owed. */
  value: number;
  /** What is held and what is owed. */
  grossValue: number;
}

/** What is less than this share of all that was bought and sold of an asset is rounding. */
const leastShare = 1e-12;

/** Holdings of one asset added up, and those of nothing left out. */
export function addHoldings(holdings: readonly Holding[]): Holding[] {
  const sums = new Map<string, { net: number; turnover: number }>();
  for (const { asset, quantity } of holdings) {
    const { net, turnover } = sums.get(asset) ?? { net: 0, turnover: 0 };
    sums.set(asset, { net: net + quantity, turnover: turnover + Math.abs(quantity) });
  }
  return [...sums].flatMap(([asset, { net, turnover }]) =>
    Math.abs(net) > leastShare * turnover ? [{ asset, quantity: net }] : [],
  );
}

/** The holdings at the last closes of their pairs. */
export function valueBook(holdings: readonly Holding[], prices: ReadonlyMap<string, number>): Book {
  const valued = holdings.map(({ asset, quantity }) => {
    const price = prices.get(asset)!;
    return { asset, quantity, price, value: quantity * price };
  });
  const grossValue = valued.reduce((sum, { value }) => sum + Math.abs(value), 0);
  return {
    positions: valued.map((each) => ({ ...each, weight: each.value / grossValue })),
    value: valued.reduce((sum, { value }) => sum + value, 0),
    grossValue,
  };
}

/** The last close of every asset held. Throws `invalid_input` for an asset that is not among the pairs. */
export function pricesOf(
  holdings: readonly Holding[],
  pairs: readonly PairCandles[],
  quote: string | undefined,
): Map<string, number> {
  const known = new Map(pairs.map(({ asset, candles }) => [asset, lastClose(candles)]));
  if (quote !== undefined) known.set(quote, 1);
  return new Map(holdings.map(({ asset }) => [asset, known.get(asset) ?? noPrice(asset)]));
}

const lastClose = ({ close }: Candles): number | undefined => close[close.length - 1];

function noPrice(asset: string): never {
  throw new AppError('invalid_input', `there is no price of "${asset}"`, {
    details: { field: 'positions', asset },
  });
}
