import { utcDay } from '../../compute/model/utc-day.js';
import { snapshotAccounts } from '../accounts/snapshot-accounts.js';
import { LatestPrices } from '../../storage/candles/latest-prices.js';
import { KnownExchanges } from '../../storage/exchanges/known-exchanges.js';
import { redisNow } from '../../storage/servers/redis-now.js';
import type { Storage } from '../../storage/index.js';
import { defineSchedule } from './worker/schedule.js';

/** The ids of users without a stored account. */
async function withoutAccounts(
  { accounts }: Pick<Storage, 'accounts'>,
  userIds: readonly string[],
): Promise<string[]> {
  const owners = new Set((await accounts.ofUsers(userIds)).map(({ userId }) => userId));
  return userIds.filter((userId) => !owners.has(userId));
}

/** At the start of each UTC day. A run that is late takes the snapshot then: its time is stored with it. */
export const snapshotEquitySchedule = defineSchedule({
  name: 'snapshot-equity',
  summary: 'stores what each account is worth at the start of the day, and what was paid in or out',
  pattern: '0 0 0 * * *',
  limitMs: 1_800_000,
  async run({ settings, storage, redis, lease }, signal) {
    const day = utcDay(await redisNow(redis));
    const prices = new LatestPrices(storage, redis);
    const { marketOf } = new KnownExchanges(settings);
    const snap = async (userIds: readonly string[]) => {
      await lease.confirm();
      const tools = { storage, prices, marketOf, paperBalance: settings.PAPER_BALANCE };
      return snapshotAccounts(tools, userIds, day);
    };
    const accounts = await storage.owned.forOwners('accounts', signal, snap);
    // The paper account of a user who has traded on margin only is not stored.
    const others = await storage.owned.forOwners('paper_margin', signal, async (userIds) =>
      snap(await withoutAccounts(storage, userIds)),
    );
    return `${accounts + others} accounts valued for ${day}`;
  },
});
