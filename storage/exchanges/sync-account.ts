import { Decimal } from '../../compute/model/decimal.js';
import type { Account, StoredHolding } from '../accounts.js';
import { isCash, quoteCurrency } from '../market/pegged.js';
import type { Balance, ExchangeAccount } from './exchange-account.js';
import { settleHolding } from './settle-holding.js';

/** Assets whose fills are read in one visit; the rest are for the next. */
const mostChecked = 20;

export interface SyncOptions {
  /** The prices of these assets, as far as there are any. */
  pricesOf: (assets: readonly string[]) => Promise<ReadonlyMap<string, Decimal>>;
  nowMs: number;
}

export interface Synced {
  holdings: StoredHolding[];
  cash: Account['cash'];
  /** Whether everything was read: else the account should be visited again soon. */
  isWhole: boolean;
}

/**
 * Reads an account: its balances, and the fills of those assets of which the quantity has changed, besides those of the
 * one that was not looked at for longest (a sale and a purchase may cancel out). Balances are read before the fills and
 * after them: what has changed in between is left as it is known, until the next visit.
 */
export async function syncAccount(
  account: Account,
  opened: ExchangeAccount,
  { pricesOf, nowMs }: SyncOptions,
): Promise<Synced> {
  const before = await opened.balances();
  const known = new Map(account.holdings.map((holding) => [holding.asset, holding]));
  const checked = chooseAssets(before, known);
  const fills = new Map<string, Awaited<ReturnType<ExchangeAccount['fills']>>>();
  for (const asset of checked) {
    const cursor = known.get(asset)?.cursor ?? null;
    fills.set(asset, await opened.fills({ base: asset, quote: quoteCurrency }, cursor));
  }
  const after = [...(checked.length > 0 ? await opened.balances() : before)].sort(byAsset);
  const held = after.filter(({ asset }) => !isCash(asset));
  const prices = await pricesOf(held.map(({ asset }) => asset));
  const quantities = new Map(before.map(({ asset, quantity }) => [asset, quantity]));
  let isWhole = true;
  const holdings = held.map(({ asset, quantity }): StoredHolding => {
    const holding = known.get(asset) ?? unread(asset, quantity);
    const isStill = quantities.get(asset)?.compare(quantity) === 0;
    if (fills.has(asset) && isStill) {
      const page = fills.get(asset);
      const first = holding.checkedAt === 0 ? null : holding;
      const settled = settleHolding(first, page?.fills ?? [], quantity, prices.get(asset) ?? null);
      return { asset, ...settled, cursor: page?.cursor ?? holding.cursor, checkedAt: nowMs };
    }
    isWhole &&= isStill && holding.checkedAt > 0 && holding.quantity === String(quantity);
    return withCost(holding, prices.get(asset) ?? null);
  });
  return { holdings, cash: cashOf(after), isWhole };
}

/** Assets that are new or have changed, the longest unchecked first, and one more of the others. */
function chooseAssets(balances: readonly Balance[], known: ReadonlyMap<string, StoredHolding>): string[] {
  const lastChecked = (asset: string) => known.get(asset)?.checkedAt ?? 0;
  const held = balances
    .filter(({ asset }) => !isCash(asset))
    .sort((left, right) => lastChecked(left.asset) - lastChecked(right.asset));
  const isChanged = ({ asset, quantity }: Balance) =>
    lastChecked(asset) === 0 || known.get(asset)?.quantity !== String(quantity);
  const changed = held.filter(isChanged).slice(0, mostChecked);
  const oldest = held.find((balance) => !isChanged(balance));
  return [...changed, ...(oldest && changed.length < mostChecked ? [oldest] : [])].map(({ asset }) => asset);
}

const byAsset = (left: Balance, right: Balance): number => (left.asset < right.asset ? -1 : 1);

const unread = (asset: string, quantity: Decimal): StoredHolding => ({
  asset,
  quantity: String(quantity),
  cost: null,
  basis: 'since_connection',
  cursor: null,
  checkedAt: 0,
});

/** A holding whose cost could not be told for want of a price, now that there may be one. */
const withCost = (holding: StoredHolding, price: Decimal | null): StoredHolding =>
  holding.cost !== null || holding.checkedAt === 0
    ? holding
    : { ...holding, ...settleHolding(holding, [], Decimal.parse(holding.quantity), price) };

const cashOf = (balances: readonly Balance[]): Account['cash'] =>
  balances
    .filter(({ asset }) => isCash(asset))
    .map(({ asset, quantity }) => ({ asset, quantity: String(quantity) }));
