import assert from 'node:assert/strict';
import { startMarket } from '../../../jobs/market/market-role.js';
import { OpenExchanges } from '../../../storage/exchanges/open-exchanges.js';
import { tryKey } from '../../../storage/exchanges/try-key.js';
import { UserExchanges } from '../../../storage/accounts/user-exchanges.js';
import { openLog } from '../../../storage/process/log.js';
import type { RunningRole } from '../../../storage/process/role.js';
import type { Settings } from '../../../storage/process/settings.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { FakeExchange } from '../../support/fake-exchange/fake-exchange.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { until } from '../../support/process/until.js';
import { failFast, openRedis, connected } from '../../../storage/servers/redis.js';
import { givenServers } from '../../support/servers/given-servers.js';

const apiKey = 'K'.repeat(64);
const secret = 'S'.repeat(64);

describe('market workers', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const folder = temporaryFolder();
  const workers: RunningRole[] = [];
  let exchange: FakeExchange;
  let settings: Settings;

  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await exchange.close();
  });

  it('read an account that was connected and keep its positions, one of them after the other is gone', async () => {
    const candles = randomCandles(30, {
      startMs: Math.floor(Date.now() / 3_600_000) * 3_600_000 - 29 * 3_600_000,
    });
    exchange = await FakeExchange.open([{ base: 'BTC', quote: 'USDT', candles }]);
    const account = exchange.account({ apiKey, secret }, { BTC: { free: '1' } });
    settings = readSettings(
      {
        MARKET: 'csv',
        LOG_LEVEL: 'silent',
        DATA_DIR: folder.path,
        ACCOUNT_POLL_SECONDS: '1',
        EXCHANGES: `BINANCE=binance@${exchange.url}`,
      },
      folder.path,
    );
    const redisUrl = await freshRedisUrl();
    const servers = givenServers(redisUrl, context.url);
    const start = async () => {
      const log = openLog(settings, 'test');
      workers.push(await startMarket({ settings, servers, log, report: () => undefined }));
    };
    await Promise.all([start(), start()]);
    const redis = openRedis(redisUrl, failFast);
    try {
      await connected(redis);
      const users = new UserExchanges(settings, context.storage, redis);
      // Schedules run at once where they are new, and remove what belongs to nobody.
      const ada = { email: 'ada@example.com', plan: 'free', passwordHash: 'x' } as const;
      const { id } = await context.storage.users.add(ada);
      const { signal } = new AbortController();
      const exchanges = new OpenExchanges({ settings, known: users.exchanges, redis, signal });
      await users.connect(id, 'BINANCE', { apiKey, secret, passphrase: null }, (name, key) =>
        tryKey(exchanges, name, key, signal),
      );
      const held = (quantity: number) =>
        until(
          `${quantity} BTC`,
          async () => {
            const [btc] = (await context.storage.positions.find(id))?.positions ?? [];
            return btc?.quantity === quantity && btc.pnl !== null && btc;
          },
          90_000,
          () => context.storage.accounts.find(id, 'BINANCE'),
        );
      const first = await held(1);
      assert.deepEqual([first.coin, first.exchange, first.pnl], ['BTC', 'BINANCE', 0]);
      await workers.shift()!.close();
      await users.seen(id);
      exchange.hold(account, { BTC: { free: '2' } });
      assert.equal((await held(2)).costBasis, 'since_connection');
    } finally {
      redis.disconnect();
    }
  });
});
