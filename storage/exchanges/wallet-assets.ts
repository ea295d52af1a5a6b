import { Decimal } from '../../compute/model/decimal.js';
import { readDecimal } from './read-decimal.js';
import type { WalletAsset } from './venue-wallets.js';

type Amounts = Omit<WalletAsset, 'asset'>;

/** A wallet's row of an asset from the amounts as the exchange wrote them; missing amounts are 0. */
export function walletAsset(asset: string, told: Partial<Record<keyof Amounts, unknown>>): WalletAsset {
  const amountOf = (name: keyof Amounts) =>
    told[name] === undefined || told[name] === null || told[name] === ''
      ? Decimal.zero
      : readDecimal(told[name]);
  return {
    asset,
    total: amountOf('total'),
    free: amountOf('free'),
    locked: amountOf('locked'),
    borrowed: amountOf('borrowed'),
    interest: amountOf('interest'),
    unrealised: amountOf('unrealised'),
  };
}

const amountNames = ['total', 'free', 'locked', 'borrowed', 'interest', 'unrealised'] as const;

/** One row for each asset that has any amount, in alphabetical order. */
export function addUpAssets(rows: readonly WalletAsset[]): WalletAsset[] {
  const sums = new Map<string, WalletAsset>();
  for (const row of rows) {
    const known = sums.get(row.asset);
    sums.set(row.asset, known ? added(known, row) : row);
  }
  return [...sums.values()]
    .filter((row) => amountNames.some((name) => row[name].sign !== 0))
    .sort((one, other) => (one.asset < other.asset ? -1 : 1));
}

const added = (one: WalletAsset, other: WalletAsset): WalletAsset => ({
  asset: one.asset,
  total: one.total.plus(other.total),
  free: one.free.plus(other.free),
  locked: one.locked.plus(other.locked),
  borrowed: one.borrowed.plus(other.borrowed),
  interest: one.interest.plus(other.interest),
  unrealised: one.unrealised.plus(other.unrealised),
});
