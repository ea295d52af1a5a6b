import { Decimal } from '../../compute/model/decimal.js';
import type { Account, StoredHolding } from '../../storage/accounts/accounts.js';
import { isCash, quoteCurrency } from '../../storage/candles/pegged.js';
import type { Balance, ExchangeAccount, FillPage } from '../../storage/exchanges/exchange-account.js';
import { settleHolding } from '../../storage/accounts/settle-holding.js';

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
 * one that was not looked at for longest (a sale and a purchase may cancel out). An asset is settled when no fill came
 * between the reading of its fills and that of its balance; else it is left as it is known until the next visit.
 */
export async function syncAccount(
  account: Account,
  opened: ExchangeAccount,
  { pricesOf, nowMs }: SyncOptions,
): Promise<Synced> {
  const known = new Map(account.holdings.map((holding) => [holding.asset, holding]));
  const first = await opened.balances();
  const read = new Map<string, FillPage | null>();
  for (const asset of chooseAssets(first, known))
    read.set(asset, await fillsOf(opened, asset, known.get(asset)?.cursor ?? null));
  const balances = [...(read.size > 0 ? await opened.balances() : first)].sort(byAsset);
  for (const [asset, page] of read) {
    const more = page && (await fillsOf(opened, asset, page.cursor));
    if (more && more.fills.length > 0) read.delete(asset);
  }
  const held = balances.filter(({ asset }) => !isCash(asset));
  const prices = await pricesOf(held.map(({ asset }) => asset));
  let isWhole = true;
  const holdings = held.map(({ asset, quantity }): StoredHolding => {
    const holding = known.get(asset) ?? unread(asset, quantity);
    const price = prices.get(asset) ?? null;
    const page = read.get(asset);
    if (page !== undefined) return settled(holding, page, quantity, price, nowMs);
    isWhole &&= isUpToDate(holding, quantity);
    return withCost(holding, price);
  });
  return { holdings, cash: cashOf(balances), isWhole };
}

const fillsOf = (opened: ExchangeAccount, asset: string, cursor: string | null): Promise<FillPage | null> =>
  opened.fills({ base: asset, quote: quoteCurrency }, cursor);

function settled(
  holding: StoredHolding,
  page: FillPage | null,
  balance: Decimal,
  price: Decimal | null,
  nowMs: number,
): StoredHolding {
  const known = holding.checkedAt === 0 ? null : holding;
  const { quantity, cost, basis } = settleHolding(known, page?.fills ?? [], balance, price);
  const cursor = page?.cursor ?? holding.cursor;
  return { asset: holding.asset, quantity, cost, basis, cursor, checkedAt: nowMs };
}

const isUpToDate = ({ checkedAt, quantity }: StoredHolding, balance: Decimal): boolean =>
  checkedAt > 0 && quantity === String(balance);

/** Assets that are new or have changed, the longest unchecked first, and one more of the others. */
function chooseAssets(balances: readonly Balance[], known: ReadonlyMap<string, StoredHolding>): string[] {
  const lastChecked = (asset: string) => known.get(asset)?.checkedAt ?? 0;
  const held = balances
    .filter(({ asset }) => !isCash(asset))
    .sort((left, right) => lastChecked(left.asset) - lastChecked(right.asset));
  const isChanged = ({ asset, quantity }: Balance) =>
    !isUpToDate(known.get(asset) ?? unread(asset, quantity), quantity);
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
    : { ...holding, ...settleHolding(holding, [], Decimal.read(holding.quantity), price) };

const cashOf = (balances: readonly Balance[]): Account['cash'] =>
  balances
    .filter(({ asset }) => isCash(asset))
    .map(({ asset, quantity }) => ({ asset, quantity: String(quantity) }));
