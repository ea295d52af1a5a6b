import assert from 'node:assert/strict';
import { candleColumns, type Candles } from '../../../compute/model/candles.js';
import { openStorage, type Storage } from '../../../storage/index.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { FakeExchange, hangs } from '../../support/fake-exchange/fake-exchange.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { RoleChild } from '../../support/process/role-child.js';
import { freshMongodbUrl, freshRedisUrl } from '../../support/servers/servers.js';
import { until } from '../../support/process/until.js';
import { within } from '../../support/process/within.js';

const hourMs = 3_600_000;
const limits = { timeoutMs: 20_000 };

describe('the market role with an exchange', () => {
  const count = 2_500;
  let exchange: FakeExchange;
  let candles: Candles;
  let env: Record<string, string>;
  let storage: Storage;
  let mongo: Mongo;
  const roles: RoleChild[] = [];

  beforeEach(async () => {
    // In the middle of an hour: whatever the time is, no hour ends while the test runs.
    const startMs = Math.floor(Date.now() / hourMs) * hourMs - count * hourMs;
    candles = randomCandles(count + 24, { startMs });
    exchange = await FakeExchange.open([{ base: 'BTC', quote: 'USDT', candles }]);
    const mongodbUrl = await freshMongodbUrl();
    storage = openStorage(mongodbUrl, limits);
    mongo = openMongo(mongodbUrl, limits);
    env = {
      REDIS_URL: await freshRedisUrl(),
      MONGODB_URL: mongodbUrl,
      MARKET: 'binance',
      MARKET_URL: exchange.url,
      MARKET_PAIRS: 'BTC/USDT',
      MARKET_HISTORY_DAYS: '120',
    };
  });
  afterEach(async () => {
    await Promise.all(roles.splice(0).map((role) => role.kill()));
    await storage.close();
    await mongo.close();
    await exchange.close();
  });

  async function start(): Promise<RoleChild> {
    const role = await RoleChild.start('market', env);
    roles.push(role);
    return role;
  }

  it('continues from the stored candles after kill -9 in the middle of the history', async () => {
    exchange.fault = () => (exchange.klines.length >= 2 ? hangs : undefined);
    const killed = await start();
    await until('the third page', () => exchange.klines.length === 3);
    await killed.kill();
    assert.equal((await storage.series.find(key))!.count, 2_000);
    // The dead worker's lease runs out after 15 s: no test waits for that.
    await mongo.db.collection('leases').deleteMany({});
    exchange.fault = () => undefined;
    const before = exchange.klines.length;
    const next = await start();
    await until('the report', () => next.reports.includes('market binance: history of 1 of 1 pairs ready'));
    const loaded = (await storage.candles.load(key))!.candles;
    for (const column of candleColumns) {
      assert.deepEqual(
        Array.from(loaded[column].slice(0, count)),
        Array.from(candles[column].slice(0, count)),
      );
    }
    assert.ok(loaded.time.length <= count + 1);
    const again = exchange.klines.slice(before).map(({ startTime }) => startTime);
    assert.equal(Math.min(...again.filter((time) => time >= candles.time[0])), candles.time[2_000]);
  });

  it('is ready before its history is, and ends at once on SIGTERM in the middle of it', async () => {
    exchange.fault = () => (exchange.klines.length >= 1 ? hangs : undefined);
    const role = await start();
    await until('the second page', () => exchange.klines.length === 2);
    // The request that hangs would be given up after 10 s.
    assert.equal(await within('its end', role.stop(), 9_000), 0);
    assert.ok(!role.log.includes('"level":40'), role.log);
  });

  it('names the pairs that the exchange does not list', async () => {
    env.MARKET_PAIRS = 'NOPE/USDT';
    await assert.rejects(start(), /MARKET_PAIRS is "NOPE\/USDT", found none of them on binance/);
  });
});

const key = { market: 'binance', base: 'BTC', quote: 'USDT', interval: '1h' } as const;
