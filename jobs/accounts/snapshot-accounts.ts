import { accountFlow, accountValue, type HeldAmount } from '../../compute/ledger/account-value.js';
import { Decimal } from '../../compute/model/decimal.js';
import { parsePair } from '../../compute/model/market-pair.js';
import { utcDay } from '../../compute/model/utc-day.js';
import { decimalOf, type MarketOf } from '../../storage/accounts/position-updater.js';
import type { Account } from '../../storage/accounts/accounts.js';
import type { LatestPrices } from '../../storage/candles/latest-prices.js';
import { isDollar, quoteCurrency } from '../../storage/candles/pegged.js';
import type { Storage } from '../../storage/index.js';
import type { AccountTrade } from '../../storage/ledger/account-fills.js';
import type { EquitySnapshot } from '../../storage/ledger/equity.js';

export interface SnapshotTools {
  storage: Pick<Storage, 'accountFills' | 'accounts' | 'equity'>;
  prices: Pick<LatestPrices, 'find'>;
  marketOf: MarketOf;
}

const dayMs = 86_400_000;
const benchmarkAsset = 'BTC';

/**
 * Stores what the accounts of these users are worth now as their snapshot of a day, and answers how many accounts there are.
 * An account that has a snapshot of that day keeps it.
 */
export async function snapshotAccounts(
  { storage, prices, marketOf }: SnapshotTools,
  userIds: readonly string[],
  day: string,
): Promise<number> {
  const accounts = await storage.accounts.ofUsers(userIds);
  const at = new Date();
  const earlier = await lastSnapshots(storage, accounts, day);
  const since = new Date(Math.min(at.getTime(), ...[...earlier.values()].map((each) => each.at.getTime())));
  const trades = await storage.accountFills.since(userIds, since);
  const made: EquitySnapshot[] = [];
  for (const account of accounts) {
    const before = earlier.get(nameOf(account)) ?? null;
    const held = heldIn(account);
    const market = marketOf(account.exchange);
    const priced = await pricesOf(prices, market, [...held, ...(before ? amounts(before.assets) : [])]);
    const own = trades.filter(
      (each) => nameOf(each) === nameOf(account) && before !== null && each.fill.at > before.at,
    );
    const { value, unpriced } = accountValue(held, priced.prices);
    const flow = before
      ? accountFlow(amounts(before.assets), held, own.flatMap(changesOf), priced.prices)
      : Decimal.zero;
    made.push({
      ...{ userId: account.userId, exchange: account.exchange, day, at },
      value: value.toString(),
      assets: held.map(({ asset, quantity }) => ({ asset, quantity: quantity.toString() })),
      flow: flow.toString(),
      unpriced: unpriced.sort(),
      benchmark: priced.benchmark?.toString() ?? null,
    });
  }
  await storage.equity.add(made);
  return made.length;
}

const nameOf = ({ userId, exchange }: { userId: string; exchange: string }) => `${userId} ${exchange}`;

/** The last snapshots before a day: mostly those of the day before it. */
async function lastSnapshots(
  { equity }: SnapshotTools['storage'],
  accounts: readonly Account[],
  day: string,
): Promise<Map<string, EquitySnapshot>> {
  const dayBefore = utcDay(Date.parse(day) - dayMs);
  const found = new Map((await equity.onDay(accounts, dayBefore)).map((each) => [nameOf(each), each]));
  for (const account of accounts) {
    if (found.has(nameOf(account))) continue;
    const older = await equity.before(account.userId, account.exchange, day);
    if (older) found.set(nameOf(account), older);
  }
  return found;
}

const amounts = (held: readonly { asset: string; quantity: string }[]): HeldAmount[] =>
  held.map(({ asset, quantity }) => ({ asset, quantity: Decimal.read(quantity) }));

const heldIn = ({ cash, holdings }: Account): HeldAmount[] =>
  amounts([...cash, ...holdings]).filter(({ quantity }) => quantity.sign !== 0);

/** What a trade has changed in an account. */
function changesOf({ pair, side, fill }: AccountTrade): HeldAmount[] {
  const { base, quote } = parsePair(pair)!;
  const [quantity, price, baseFee, quoteFee] = [fill.quantity, fill.price, fill.baseFee, fill.quoteFee].map(
    (text) => Decimal.read(text),
  );
  const signed = (amount: Decimal, isGain: boolean) => (isGain ? amount : amount.negated());
  return [
    { asset: base, quantity: signed(quantity, side === 'buy').minus(baseFee) },
    { asset: quote, quantity: signed(quantity.times(price), side === 'sell').minus(quoteFee) },
    ...(fill.otherFees ?? []).map(({ asset, amount }) => ({
      asset,
      quantity: Decimal.read(amount).negated(),
    })),
  ];
}

async function pricesOf(
  latest: SnapshotTools['prices'],
  market: string,
  held: readonly HeldAmount[],
): Promise<{ prices: Map<string, Decimal>; benchmark: Decimal | null }> {
  const assets = [...new Set([benchmarkAsset, ...held.map(({ asset }) => asset)])];
  const found = await latest.find(
    market,
    assets.filter((asset) => asset !== quoteCurrency),
  );
  const prices = new Map([...found].map(([asset, { price }]) => [asset, decimalOf(price)]));
  for (const asset of assets) if (isDollar(asset) && !prices.has(asset)) prices.set(asset, Decimal.one);
  return { prices, benchmark: prices.get(benchmarkAsset) ?? null };
}
