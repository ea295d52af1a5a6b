import { openStorage } from '../storage/index.js';
import { storeDemoHistory } from '../storage/market/demo-history.js';
import { announceSeries } from '../storage/series-directory.js';
import { DemoMarket, hourMs } from '../storage/market/demo-market.js';
import { failFast, openRedis } from '../storage/redis.js';
import type { RoleContext, RunningRole } from '../storage/role.js';

/** Bulk writes of history may take longer than a request may. */
const storageTimeoutMs = 60_000;
const retryMs = 5_000;

/** Keeps the candles of the configured market up to date. */
export async function startMarket({
  settings,
  servers,
  log,
  metrics,
  report,
}: RoleContext): Promise<RunningRole> {
  const redis = openRedis(servers.redisUrl, failFast, metrics);
  const storage = openStorage(
    servers.mongodbUrl,
    { timeoutMs: storageTimeoutMs, metrics },
    announceSeries(redis),
  );
  const close = async () => {
    redis.disconnect();
    await storage.close();
  };
  await storage.migrate();
  if (settings.MARKET === 'csv') {
    const pairs = (await storage.series.list('csv')).filter(({ interval }) => interval === '1h');
    report(`market csv: ${pairs.length} pairs imported`);
    return { close };
  }

  let market = new DemoMarket();
  let shown = 0;
  await storeDemoHistory(market, storage, Date.now(), (done, total) => {
    const percent = Math.floor((done / total) * 100);
    if (percent < shown) return;
    report(`demo market: history of ${done} of ${total} pairs ready`);
    shown = percent + 25;
  });

  let timer: NodeJS.Timeout;
  let writing = Promise.resolve();
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      writing = follow();
    }, ms);
  };
  const follow = async () => {
    try {
      await storeDemoHistory(market, storage, Date.now());
      wait(hourMs - (Date.now() % hourMs) + 500);
    } catch (error) {
      log.warn({ err: error }, 'demo candles not stored');
      market = new DemoMarket();
      wait(retryMs);
    }
  };
  await follow();
  return {
    async close() {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      await close();
    },
  };
}
