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
const negatedAmounts = (held: readonly HeldAmount[]): HeldAmount[] =>
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

/** The content of a wallet at a time, and the transfers until then. Amounts are by asset. */
export interface WalletState {
  /** The time of its first reading, which identifies the wallet: it differs after a new connection. Null: never read. */
  readonly since: number | null;
  /** Its net amount of each asset: debts are subtracted, unrealised gains are included. */
  readonly worth: readonly HeldAmount[];
  /** What was transferred into it (above 0) or out, over all known lines of its ledger. */
  readonly transferred: readonly HeldAmount[];
  /** Its content at the beginning; absent if it is unknown. */
  readonly opening?: readonly HeldAmount[] | undefined;
}

/**
 * What was paid into a wallet (above 0) or out of it between two times, by asset: the transfers of its ledger. All other changes
 * are profit or loss. For a wallet that was not known before, its opening content counts as paid in, or else its whole content.
 */
export function walletFlow(before: WalletState | undefined, now: WalletState): HeldAmount[] {
  if (before?.since === now.since) return difference(now.transferred, before.transferred);
  return difference(now.opening ?? now.worth, before?.worth ?? []);
}

const difference = (after: readonly HeldAmount[], before: readonly HeldAmount[]): HeldAmount[] =>
  addUpAmounts([...after, ...negatedAmounts(before)]);
