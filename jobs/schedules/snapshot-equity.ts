import { utcDay } from '../../compute/model/utc-day.js';
import { snapshotAccounts } from '../accounts/snapshot-accounts.js';
import { LatestPrices } from '../../storage/candles/latest-prices.js';
import { KnownExchanges } from '../../storage/exchanges/known-exchanges.js';
import { redisNow } from '../../storage/servers/redis-now.js';
import { forOwners } from '../../storage/users/for-owners.js';
import { defineSchedule } from './worker/schedule.js';

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
    const accounts = await forOwners(storage.accounts, signal, async (userIds) => {
      await lease.confirm();
      return snapshotAccounts({ storage, prices, marketOf }, userIds, day);
    });
    return `${accounts} accounts valued for ${day}`;
  },
});
