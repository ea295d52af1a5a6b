import { Decimal } from '../../compute/model/decimal.js';
import type { Account, StoredHolding } from '../../storage/accounts/accounts.js';
import { isCash, quoteCurrency } from '../../storage/candles/pegged.js';
import type { Balance, ExchangeAccount, FillPage } from '../../storage/exchanges/exchange-account.js';
import { settleHolding } from '../../storage/accounts/settle-holding.js';

/** The number of assets whose fills are read in one visit; the next visit reads the rest. */
const maxChecked = 20;

export interface SyncOptions {
  /** The prices of these assets; assets without a price are missing. */
  pricesOf: (assets: readonly string[]) => Promise<ReadonlyMap<string, Decimal>>;
  nowMs: number;
  /** Whether the visit has taken long enough: the fills of further assets are left for the next visit. */
  isLate?: () => boolean;
}

/** The state of an account as a visit has read it. */
export interface AccountReading {
  holdings: StoredHolding[];
  cash: Account['cash'];
  /** False when assets were left for the next visit, which should follow soon. */
  isWhole: boolean;
}

/**
 * Reads an account: its balances, the fills of assets whose quantity changed, and the fills of the asset that was checked
 * longest ago (a sale and a purchase may cancel out). An asset is settled when no fill happened between reading its fills and
 * its balance; otherwise it stays as it was until the next visit. Throws as the account does.
 */
export async function syncAccount(
  account: Account,
  opened: ExchangeAccount,
  { pricesOf, nowMs, isLate = () => false }: SyncOptions,
): Promise<AccountReading> {
  const known = new Map(account.holdings.map((holding) => [holding.asset, holding]));
  const first = await opened.balances();
  const read = new Map<string, FillPage | null>();
  for (const asset of chooseAssets(first, known)) {
    // At least one asset is read, so that every visit makes progress.
    if (read.size > 0 && isLate()) break;
    read.set(asset, await fillsOf(opened, asset, known.get(asset)?.cursor ?? null));
  }
  const balances = [...(read.size > 0 ? await opened.balances() : first)].sort((left, right) =>
    left.asset < right.asset ? -1 : 1,
  );
  for (const [asset, page] of read) {
    const more = page && (await fillsOf(opened, asset, page.cursor));
    if (more && more.fills.length > 0) read.delete(asset);
  }
  const held = balances.filter(({ asset }) => !isCash(asset));
  const prices = await pricesOf(held.map(({ asset }) => asset));
  let isWhole = true;
  const holdings = held.map(({ asset, quantity, locked }): StoredHolding => {
    const holding = known.get(asset) ?? unread(asset, quantity);
    const price = prices.get(asset) ?? null;
    const page = read.get(asset);
    if (page !== undefined)
      return { ...settled(holding, page, quantity, price, nowMs), ...lockedPart(locked) };
    isWhole &&= isUpToDate(holding, quantity);
    const next = { ...withCost(holding, price) };
    delete next.locked;
    return { ...next, ...lockedPart(locked) };
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

/** New and changed assets, the longest unchecked first, and one of the others. */
function chooseAssets(balances: readonly Balance[], known: ReadonlyMap<string, StoredHolding>): string[] {
  const lastChecked = (asset: string) => known.get(asset)?.checkedAt ?? 0;
  const held = balances
    .filter(({ asset }) => !isCash(asset))
    .sort((left, right) => lastChecked(left.asset) - lastChecked(right.asset));
  const isChanged = ({ asset, quantity }: Balance) =>
    !isUpToDate(known.get(asset) ?? unread(asset, quantity), quantity);
  const changed = held.filter(isChanged).slice(0, maxChecked);
  const oldest = held.find((balance) => !isChanged(balance));
  return [...changed, ...(oldest && changed.length < maxChecked ? [oldest] : [])].map(({ asset }) => asset);
}

const unread = (asset: string, quantity: Decimal): StoredHolding => ({
  asset,
  quantity: String(quantity),
  cost: null,
  basis: 'since_connection',
  cursor: null,
  checkedAt: 0,
});

/** Sets the cost of a holding that had no price when it was settled, if there is a price now. */
const withCost = (holding: StoredHolding, price: Decimal | null): StoredHolding =>
  holding.cost !== null || holding.checkedAt === 0
    ? holding
    : { ...holding, ...settleHolding(holding, [], Decimal.read(holding.quantity), price) };

const cashOf = (balances: readonly Balance[]): Account['cash'] =>
  balances
    .filter(({ asset }) => isCash(asset))
    .map(({ asset, quantity, locked }) => ({ asset, quantity: String(quantity), ...lockedPart(locked) }));

const lockedPart = (locked: Decimal | undefined): { locked?: string } =>
  locked === undefined ? {} : { locked: String(locked) };
