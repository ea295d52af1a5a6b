import { openStorage } from '../storage/index.js';
import { connected, failFast, openRedis } from '../storage/redis.js';
import type { RoleContext, RunningRole } from '../storage/role.js';
import { announceSeries } from '../storage/series-announcements.js';
import { followAccounts } from './markets/accounts.js';
import { followDemo } from './markets/demo.js';
import { followCcxt } from './markets/exchange.js';
import type { MarketContext } from './markets/market-context.js';

/** Bulk writes of history may take longer than a request may. */
const storageTimeoutMs = 60_000;

/** Keeps the candles and prices of the configured market up to date, and what users hold. */
export async function startMarket(context: RoleContext): Promise<RunningRole> {
  const { settings, servers, log, metrics, report } = context;
  const redis = openRedis(servers.redisUrl, failFast, metrics);
  const limits = { timeoutMs: storageTimeoutMs, metrics };
  const storage = openStorage(servers.mongodbUrl, limits, { series: announceSeries(redis) });
  const close = async () => {
    redis.disconnect();
    await storage.close();
  };
  try {
    await storage.migrate();
    await connected(redis);
    const shared = { settings, storage, redis, log, report };
    const accounts = followAccounts(shared);
    const following = await follow(shared).catch(async (error: unknown) => {
      await accounts.close();
      throw error;
    });
    return {
      async close() {
        await Promise.all([following.close(), accounts.close()]);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function follow(context: MarketContext): Promise<RunningRole> {
  if (context.settings.MARKET === 'csv') return showImported(context);
  return context.settings.MARKET === 'demo' ? followDemo(context) : followCcxt(context);
}

/** Imported candles need nothing done. */
async function showImported({ storage, report }: MarketContext): Promise<RunningRole> {
  const pairs = (await storage.series.list('csv')).filter(({ interval }) => interval === '1h');
  report(`market csv: ${pairs.length} pairs imported`);
  return { close: async () => undefined };
}
