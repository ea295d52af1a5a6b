import { groupBy } from '../../compute/model/group-by.js';
import { utcDay } from '../../compute/model/utc-day.js';
import type { MarketOf } from '../../storage/accounts/position-updater.js';
import type { Account } from '../../storage/accounts/accounts.js';
import type { LatestPrices } from '../../storage/candles/latest-prices.js';
import { paperName } from '../../storage/exchanges/exchange-names.js';
import { marginIdOf, type StoredMargin } from '../../storage/exchanges/paper/margin/stored-margin.js';
import { PaperAccounts } from '../../storage/exchanges/paper/paper-accounts.js';
import type { Storage } from '../../storage/index.js';
import { snapshotOf } from './snapshot-of.js';
import type { EquitySnapshot } from '../../storage/ledger/equity.js';

export interface SnapshotTools {
  storage: Pick<Storage, 'accountFills' | 'accounts' | 'equity' | 'paperMargin'>;
  prices: Pick<LatestPrices, 'find'>;
  marketOf: MarketOf;
  /** The starting balance of each paper account, in USDT. */
  paperBalance: string;
}

const dayMs = 86_400_000;

/**
 * Stores the present value of the accounts of these users as their snapshot of a day, and returns the number of accounts. An
 * account that has a snapshot of that day keeps it.
 */
export async function snapshotAccounts(
  tools: SnapshotTools,
  userIds: readonly string[],
  day: string,
): Promise<number> {
  const made = await presentSnapshots(tools, userIds, day);
  await tools.storage.equity.add(made);
  return made.length;
}

/** The present value of the accounts of these users, with what was paid in or out since their last snapshot before a day. */
export async function presentSnapshots(
  { storage, prices, marketOf, paperBalance }: SnapshotTools,
  userIds: readonly string[],
  day: string,
): Promise<EquitySnapshot[]> {
  const margins = groupBy(await marginsOf(storage, userIds), ({ userId }) => userId);
  const accounts = withPaper(await storage.accounts.ofUsers(userIds), [...margins.keys()], {
    storage,
    paperBalance,
  });
  const at = new Date();
  const earlier = await lastSnapshots(storage, accounts, day);
  const since = new Date(Math.min(at.getTime(), ...[...earlier.values()].map((each) => each.at.getTime())));
  const trades = await storage.accountFills.since(userIds, since);
  const made: EquitySnapshot[] = [];
  for (const account of accounts) {
    const before = earlier.get(nameOf(account)) ?? null;
    const scene = {
      day,
      at,
      before,
      prices,
      paperBalance,
      market: marketOf(account.exchange),
      trades: trades.filter(
        (each) => nameOf(each) === nameOf(account) && before !== null && each.fill.at > before.at,
      ),
      margins: margins.get(account.userId) ?? [],
    };
    made.push(await snapshotOf(account, scene));
  }
  return made;
}

const marginsOf = (
  { paperMargin }: Pick<Storage, 'paperMargin'>,
  userIds: readonly string[],
): Promise<StoredMargin[]> =>
  paperMargin.ofIds(
    userIds.flatMap((userId) =>
      (['MARGIN', 'FUTURES'] as const).map((account) => marginIdOf({ userId, account })),
    ),
  );

/** Adds the paper accounts of users who have traded on margin only: their SPOT still has its starting balance. */
function withPaper(
  accounts: readonly Account[],
  traders: readonly string[],
  { storage, paperBalance }: Pick<SnapshotTools, 'paperBalance'> & { storage: Pick<Storage, 'accounts'> },
): Account[] {
  const stored = new Set(accounts.map(nameOf));
  const paper = new PaperAccounts(storage.accounts, paperBalance);
  const missing = traders.filter((userId) => !stored.has(nameOf({ userId, exchange: paperName })));
  return [...accounts, ...missing.map((userId) => paper.fresh(userId))];
}

const nameOf = ({ userId, exchange }: { userId: string; exchange: string }) => `${userId} ${exchange}`;

/** The last snapshots before a day, by account: mostly those of the day before. */
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
