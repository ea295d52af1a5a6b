import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { candleColumns, type Candles } from '../../../compute/model/candles.js';
import { ExchangeFollower, type ExchangeFollowerOptions } from '../../../jobs/market/exchange-follower.js';
import { newFeed, type Feed } from '../../../storage/candles/feeds.js';
import type { Storage } from '../../../storage/index.js';
import { failFast, openRedis, patient } from '../../../storage/servers/redis.js';
import { Prices } from '../../../storage/candles/prices.js';
import { FakeExchange, hangs, type FakePair } from '../../support/fake-exchange/fake-exchange.js';
import type { RequestFault } from '../../support/fake-exchange/fault-script.js';
import type { RequestLine } from '../../support/fake-exchange/exchange-state.js';
import { openMarketWorker, type MarketWorker, type WorkerOptions } from '../../support/jobs/market-worker.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { migratedMongodbUrl } from '../../support/servers/migrated-database.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { until } from '../../support/process/until.js';
import { hourMs, pickCandles, withoutCandles } from '../../storage/candles/candle-parts.js';

const startMs = Date.UTC(2024, 0, 1);
const btc = { market: 'binance', base: 'BTC', quote: 'USDT' } as const;
const key = { ...btc, interval: '1h' } as const;
type Row = (number | string | null)[];

const columnsOf = (candles: Candles | undefined) =>
  candles && Object.fromEntries(candleColumns.map((column) => [column, Array.from(candles[column])]));

const firstOf = (candles: Candles, count: number) =>
  pickCandles(
    candles,
    Array.from({ length: count }, (_, i) => i),
  );

describe('ExchangeFollower', () => {
  let exchange: FakeExchange;
  let redisUrl: string;
  let mongodbUrl: string;
  let storage: Storage;
  let worker: MarketWorker;
  const workers: MarketWorker[] = [];

  /** An exchange that has `count` hours of BTC/USDT, and more to come, in the middle of the hour after them. */
  async function openExchange(count: number, others: FakePair[] = []): Promise<Candles> {
    const candles = randomCandles(count + 50, { startMs, seed: 7 });
    exchange = await FakeExchange.open([{ base: 'BTC', quote: 'USDT', candles }, ...others]);
    atHour(count + 0.5);
    return candles;
  }
  const atHour = (hours: number) => exchange.setTime(startMs + hours * hourMs);

  async function start(options: Partial<WorkerOptions> = {}): Promise<MarketWorker> {
    const opened = await openMarketWorker({ exchange, redisUrl, mongodbUrl, ...options });
    workers.push(opened);
    ({ storage } = opened);
    await opened.follower.start();
    return opened;
  }
  const change = (rowsOf: (rows: Row[]) => Row[]) =>
    (exchange.state.changeRows = (rows) => rowsOf(rows as Row[]));
  const stored = async () => (await storage.candles.load(key))?.candles;
  const feed = async () => (await storage.feeds.find(btc))!;
  const caughtUp = (hours: number) =>
    until('all hours', async () => (await stored())?.time.at(-1) === startMs + (hours - 1) * hourMs);
  const feedThat = (what: string, holds: (feed: Feed) => boolean) =>
    until(what, async () => {
      const found = await feed();
      return found && holds(found) ? found : null;
    });

  beforeEach(async () => {
    redisUrl = await freshRedisUrl();
    mongodbUrl = await migratedMongodbUrl();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((each) => each.close()));
    await exchange.close();
  });

  it('stores 5,000 hours of history as the exchange serves them, and 4h and 1d candles, without the open hour', async () => {
    const candles = await openExchange(5_000);
    worker = await start({ limits: { historyDays: 300 } });
    await caughtUp(5_000);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 5_000)));
    assert.equal((await storage.series.find({ ...btc, interval: '1d' }))?.count, Math.floor(5_000 / 24));
    await feedThat('history asked for', ({ askedFrom, stale }) => askedFrom !== null && stale === null);
    assert.ok(exchange.klines.length <= 8, `${exchange.klines.length} requests`);
    await until('the report', () => worker.reports.length > 0);
    assert.deepEqual(worker.reports, ['market binance: history of 1 of 1 pairs ready']);
    assert.deepEqual(worker.warnings, []);
  });

  it('continues where another worker stopped, without requesting stored hours again', async () => {
    const candles = await openExchange(3_500);
    const limits = { historyDays: 300 };
    exchange.fault = () => (exchange.klines.length >= 2 ? hangs : undefined);
    const first = await start({ limits, source: { timeoutMs: 60_000 } });
    await until('the third page', () => exchange.klines.length === 3);
    await workers.splice(0)[0].close();
    assert.deepEqual(first.warnings, []);
    const before = exchange.klines.length;
    exchange.fault = () => undefined;
    await start({ limits });
    await caughtUp(3_500);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 3_500)));
    const [, second, third, ...rest] = exchange.klines;
    assert.ok(rest.length > 0 && second.startTime < third.startTime);
    const again = exchange.klines.slice(before).filter(({ startTime }) => startTime < third.startTime);
    // The history starts before the first candle: those hours are requested once more, to the end.
    assert.deepEqual(
      again.filter(({ startTime }) => startTime >= startMs),
      [],
    );
  });

  it('fetches earlier hours when more history is wanted', async () => {
    const candles = await openExchange(24 * 20);
    await start({ limits: { historyDays: 5 } });
    await caughtUp(24 * 20);
    await feedThat('history asked for', ({ askedFrom }) => askedFrom === startMs + 24 * 15 * hourMs);
    assert.equal((await stored())!.time[0], startMs + 24 * 15 * hourMs);
    await workers.splice(0)[0].close();
    await start({ limits: { historyDays: 60 } });
    await until('all of it', async () => (await storage.series.find(key))!.count === 24 * 20);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 24 * 20)));
    // The hours before the first candle are requested once.
    await feedThat('history asked for', ({ askedFrom }) => askedFrom! < startMs);
    const before = exchange.klines.length;
    await workers.splice(0)[0].close();
    await start({ limits: { historyDays: 60 } });
    await delay(100);
    assert.equal(exchange.klines.length, before);
  });

  it('stores an hour when it closes, and not before', async () => {
    const candles = await openExchange(100);
    await start();
    await caughtUp(100);
    exchange.stopTime(startMs + 101 * hourMs + 1_000);
    await delay(100);
    assert.equal((await stored())!.time.length, 100);
    exchange.setTime(startMs + 101 * hourMs + 3_500);
    await caughtUp(101);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 101)));
  });

  it('waits for the clock of an exchange that is behind', async () => {
    const candles = await openExchange(100);
    exchange.state.aheadMs = -20_000;
    await start();
    await caughtUp(100);
    exchange.stopTime(startMs + 101 * hourMs + 15_000);
    await delay(200);
    assert.equal((await stored())!.time.length, 100);
    exchange.setTime(startMs + 101 * hourMs + 25_000);
    await caughtUp(101);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 101)));
  });

  it('asks again until the exchange serves an hour that is late', async () => {
    const candles = await openExchange(100);
    await start();
    await caughtUp(100);
    const late = startMs + 100 * hourMs;
    let asked = 0;
    change((rows) => (++asked > 3 ? rows : rows.filter(([time]) => time !== late)));
    exchange.setTime(late + hourMs + 5_000);
    await caughtUp(101);
    assert.ok(asked >= 4);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 101)));
    assert.equal((await feed()).stale, null);
  });

  it('marks a pair as stale whose hour stays away for more than a minute, and says so', async () => {
    await openExchange(100);
    await start();
    await caughtUp(100);
    const late = startMs + 100 * hourMs;
    change((rows) => rows.filter(([time]) => (time as number) < late));
    exchange.setTime(late + hourMs + 5_000);
    await feedThat('an asking in vain', ({ failures }) => failures > 1);
    assert.equal((await feed()).stale, null);
    exchange.setTime(late + hourMs + 61_000);
    const { stale } = await feedThat('a mark', (found) => (found.stale?.reason ?? '').includes('not served'));
    assert.deepEqual(stale, { since: late + hourMs, reason: 'binance has not served its newest candle' });
    change((rows) => rows);
    await caughtUp(101);
    await feedThat('no mark', (found) => found.stale === null);
  });

  it('requests a pair without a candle for more than a day rarely', async () => {
    await openExchange(100);
    await start();
    await caughtUp(100);
    change(() => []);
    atHour(150.5);
    // For a pair that lags by less than a day the pause ends at 40 ms.
    await feedThat('a longer pause', ({ askAgainAt }) => askAgainAt - exchange.now() > 100);
    change((rows) => rows);
    await caughtUp(150);
  });

  const outages: Record<string, [fault: RequestFault, reason: RegExp]> = {
    'answers 502': [{ kind: 'status', status: 502 }, /502|are paused/],
    'answers 503 with a page': [{ kind: 'status', status: 503 }, /503|are paused/],
    hangs: [hangs, /timed out|are paused/],
    'drops connections': [{ kind: 'reset', isDone: false }, /can't be reached from here|are paused/],
    'answers with a page that is no JSON': [
      { kind: 'status', status: 200, body: '<html>maintenance</html>' },
      /cannot be read|are paused/,
    ],
  };
  for (const [title, [fault, reason]] of Object.entries(outages)) {
    it(`marks a pair as stale while the exchange ${title}, and catches up after`, async () => {
      const candles = await openExchange(100);
      await start({ source: { timeoutMs: title === 'hangs' ? 300 : 30_000 } });
      await caughtUp(100);
      exchange.fault = () => fault;
      atHour(104.5);
      const { stale } = await feedThat('a mark with the reason', (found) =>
        reason.test(found.stale?.reason ?? ''),
      );
      assert.equal(stale!.since, startMs + 101 * hourMs);
      const [before, from] = [exchange.asked.length, performance.now()];
      await delay(200);
      const tries = exchange.asked.length - before;
      // The circuit lets one request go after each pause of 20 to 40 ms.
      const most = 2 + (performance.now() - from) / 20;
      assert.ok(tries <= most, `${tries} requests, at most ${most} expected`);
      exchange.fault = () => undefined;
      await caughtUp(104);
      await feedThat('no mark', (found) => found.stale === null && found.fault === null);
      assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 104)));
    });
  }

  it('begins while the exchange refuses connections, and catches up when it is there', async () => {
    const candles = await openExchange(100);
    await exchange.close();
    worker = await start();
    const { stale } = await feedThat('a mark', (found) => found.fault !== null);
    assert.match(stale!.reason, /can't be reached from here|are paused/);
    await exchange.listen();
    await caughtUp(100);
    await feedThat('no mark', (found) => found.stale === null);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 100)));
  });

  it('sends nothing during the pause that a 429 asks for, with two workers and six pairs', async () => {
    const others = ['A', 'B', 'C', 'D', 'E'].map((base, seed) => ({
      base,
      quote: 'USDT',
      candles: randomCandles(100, { startMs, seed }),
    }));
    await openExchange(100, others);
    const pairs = ['BTC', ...others.map(({ base }) => base)].map((base) => `${base}/USDT`).join();
    let refused = 0;
    exchange.fault = ({ path }) =>
      path.endsWith('klines') && exchange.klines.length >= 2 && refused++ === 0
        ? { kind: 'status', status: 429, retryAfter: '1' }
        : undefined;
    await start({ pairs });
    await start({ pairs });
    await until('all pairs', async () => {
      const series = await storage.series.list('binance');
      return (
        series.filter(({ interval, last }) => interval === '1h' && last === startMs + 99 * hourMs).length ===
        6
      );
    });
    const at = exchange.asked.find((each) => each.status === 429)!.cameAt;
    const after = exchange.asked.map((each) => each.cameAt - at).filter((ms) => ms > 0);
    // Requests that were on their way when the answer went out can't be called back: one of each pair, and one for prices.
    const early = after.filter((ms) => ms < 990);
    assert.ok(early.length <= 7, `requests after ${early.join()} ms`);
    assert.ok(early.length < after.length);
  });

  const badRows: Record<string, (row: Row, rows: Row[], i: number) => Row[]> = {
    'a price that is not a number': (row) => [[row[0], row[1], 'NaN', ...row.slice(3)]],
    'a price that is missing': (row) => [[row[0], row[1], row[2], row[3]]],
    'null for a price': (row) => [[row[0], row[1], null, ...row.slice(3)]],
    'a negative price': (row) => [[row[0], ...row.slice(1, 5).map((price) => `-${price}`), ...row.slice(5)]],
    'a price of 0': (row) => [[row[0], '0', '0', '0', '0', ...row.slice(5)]],
    'a high below the low': (row) => [[row[0], row[1], row[3], row[2], ...row.slice(4)]],
    'a volume below 0': (row) => [[...row.slice(0, 5), '-1', ...row.slice(6)]],
    'a time that is not the start of an hour': (row) => [[Number(row[0]) + 60_000, ...row.slice(1)]],
    'a time in seconds': (row) => [[Number(row[0]) / 1000, ...row.slice(1)]],
  };
  it('stores no bad row, counts them, and fetches the hours again until they are good', async () => {
    const candles = await openExchange(120);
    const bad = Object.values(badRows);
    const hours = bad.map((_, n) => 3 + 10 * n);
    change((rows) =>
      rows.flatMap((row, i) => {
        const n = hours.indexOf((Number(row[0]) - startMs) / hourMs);
        return n < 0 ? [row] : bad[n](row, rows, i);
      }),
    );
    const { warnings } = await start();
    await caughtUp(120);
    await feedThat(
      'the gaps to be asked for',
      ({ gaps }) => gaps.length > 0 && gaps.every(({ asks }) => asks > 0),
    );
    const good = withoutCandles(candles, hours.concat(Array.from({ length: 50 }, (_, i) => 120 + i)));
    assert.deepEqual(columnsOf(await stored()), columnsOf(good));
    assert.ok((await feed()).refusedRows >= 7, `${(await feed()).refusedRows}`);
    assert.ok(warnings.includes('bad candle rows'));
    change((rows) => rows);
    // Hours whose rows have no time look like missing hours: after two answers the gap is final.
    await until('the gaps to be closed', async () => (await storage.series.find(key))!.missing <= 1);
    // Both at once: the last gap may be closed at any time.
    const { series, candles: found } = (await storage.candles.load(key))!;
    const open = series.gaps.map(({ after }) => (after - startMs) / hourMs + 1);
    assert.deepEqual(columnsOf(found), columnsOf(withoutCandles(firstOf(candles, 120), open)));
  });

  it('sorts rows that come in any order, and takes each hour once', async () => {
    const candles = await openExchange(120);
    change((rows) => [...rows.slice(60), ...rows.slice(20), ...rows].reverse());
    await start();
    await caughtUp(120);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 120)));
  });

  it('stores nothing of an answer whose rows are all invalid, and continues with the next page', async () => {
    const candles = await openExchange(2_300);
    change((rows) =>
      rows.map((row) =>
        Number(row[0]) < startMs + 1_200 * hourMs ? [row[0], '0', '0', '0', '0', '0'] : row,
      ),
    );
    await start({ limits: { historyDays: 90, gaps: { pauseMs: 60_000 } } });
    await caughtUp(2_300);
    const good = Array.from({ length: 1_100 }, (_, i) => 1_200 + i);
    assert.deepEqual(columnsOf(await stored()), columnsOf(pickCandles(candles, good)));
  });

  it('closes a gap when the exchange has the hours after all', async () => {
    const candles = await openExchange(120);
    const gone = [30, 31, 32, 77];
    exchange.engine.pairOf('BTCUSDT').candles = withoutCandles(candles, gone);
    // A second empty answer would be the last: the hours have to be there before it, on a slow machine, too.
    await start({ limits: { gaps: { pauseMs: 3_000 } } });
    await caughtUp(120);
    await feedThat(
      'both gaps to be asked for',
      ({ gaps }) => gaps.length === 2 && gaps.every(({ asks }) => asks === 1),
    );
    assert.equal((await storage.series.find(key))!.missing, 4);
    exchange.engine.pairOf('BTCUSDT').candles = candles;
    await until('no gap', async () => (await storage.series.find(key))!.missing === 0);
    assert.deepEqual(columnsOf(await stored()), columnsOf(firstOf(candles, 120)));
    await feedThat('gaps forgotten', ({ gaps }) => gaps.length === 0);
  });

  it('asks no more for a gap that the exchange left empty twice, in no worker and after no restart', async () => {
    const candles = await openExchange(120);
    const gone = [30, 31, 32, 77];
    exchange.engine.pairOf('BTCUSDT').candles = withoutCandles(candles, gone);
    await start();
    await feedThat(
      'both gaps confirmed',
      ({ gaps }) => gaps.length === 2 && gaps.every((gap) => gap.askAgainAt === null),
    );
    assert.deepEqual(
      (await feed()).gaps.map(({ missing, asks, emptyAnswers }) => ({ missing, asks, emptyAnswers })),
      [3, 1].map((missing) => ({ missing, asks: 2, emptyAnswers: 2 })),
    );
    await workers.splice(0)[0].close();
    const before = exchange.klines.length;
    await start();
    await delay(200);
    assert.equal(exchange.klines.length, before);
    assert.deepEqual(columnsOf(await stored()), columnsOf(withoutCandles(firstOf(candles, 120), gone)));
  });

  it('fetches each page once with two workers, within the budget they share', async () => {
    const bases = ['A', 'B', 'C', 'D', 'E', 'F'];
    const others = bases.map((base, seed) => ({
      base,
      quote: 'USDT',
      candles: randomCandles(1_500, { startMs, seed }),
    }));
    await openExchange(1_500, others);
    const pairs = ['BTC', ...bases].map((base) => `${base}/USDT`).join();
    // History begins with the first candle, so that every page is full.
    const options = { pairs, limits: { historyDays: 62 }, source: { budgetPerMinute: 400 } };
    await Promise.all([start(options), start(options)]);
    await until('all pairs', async () => {
      const series = await storage.series.list('binance');
      return (
        series.filter(({ interval, last }) => interval === '1h' && last === startMs + 1_499 * hourMs)
          .length === 7
      );
    });
    const pages = exchange.klines.map(({ symbol, startTime }) => `${symbol} ${startTime}`);
    assert.equal(new Set(pages).size, pages.length);
    // The weights of Binance's documentation (6,000 per minute) in ccxt's units of 5.
    const weights: Record<string, number> = { klines: 2, exchangeInfo: 20, '24hr': 80 };
    const cost = ({ path }: RequestLine) => weights[path.split('/').at(-1)!] / 5;
    const { asked } = exchange;
    const costs = asked.map(({ cameAt: at }) =>
      asked.reduce((sum, each) => sum + (each.cameAt >= at && each.cameAt < at + 60_000 ? cost(each) : 0), 0),
    );
    // Polling has a tenth of the 400 of a minute.
    assert.ok(Math.max(...costs) <= 40, `${Math.max(...costs)}`);
    assert.ok(Math.max(...costs) > 20, `the budget was not put to the test`);
  });

  it('keeps prices up to date with one request for all pairs, however many workers there are', async () => {
    const eth = { base: 'ETH', quote: 'USDT', candles: randomCandles(150, { startMs, seed: 3 }) };
    const candles = await openExchange(100, [eth]);
    const options = { pairs: 'BTC/USDT,ETH/USDT', tickMs: 100 };
    await start(options);
    await start(options);
    const redis = openRedis(redisUrl, patient);
    try {
      const prices = new Prices(redis);
      const priceAt = (of: Candles, i: number) => (of.high[i] + of.low[i]) / 2;
      await until('the price', async () => (await prices.find(btc))?.price === priceAt(candles, 100));
      atHour(103.5);
      await until('the price', async () => (await prices.find(btc))?.price === priceAt(candles, 103));
      const found = await prices.findMany('binance', [btc, eth, { base: 'NONE', quote: 'USDT' }]);
      assert.equal(found[1]?.price, priceAt(eth.candles, 103));
      assert.equal(found[2], null);
      const change = (priceAt(candles, 103) / candles.close[79] - 1) * 100;
      assert.ok(Math.abs(found[0]!.change24hPercent! - change) < 0.001);
      assert.ok(found[0]!.time >= startMs + 103.5 * hourMs && found[0]!.time <= exchange.state.nowMs);
      const tickers = exchange.asked.filter(({ path }) => path.includes('ticker'));
      const [first, last] = [tickers[0], tickers[tickers.length - 1]];
      assert.ok(
        tickers.length - 1 <= (last.cameAt - first.cameAt) / 80 + 1,
        `${tickers.length} in ${last.cameAt - first.cameAt} ms`,
      );
    } finally {
      redis.disconnect();
    }
  });

  it('marks a pair that the exchange does not list, and keeps the others up to date', async () => {
    await openExchange(100);
    worker = await start({ pairs: 'NOPE/USDT,BTC/USDT' });
    await caughtUp(100);
    assert.deepEqual(worker.reports.slice(0, 1), ['market binance: NOPE/USDT not traded there']);
    const nope = { market: 'binance', base: 'NOPE', quote: 'USDT' };
    const found = await until('a mark', async () => {
      const other = await storage.feeds.find(nope);
      return other?.fault ? other : null;
    });
    assert.match(found.stale!.reason, /NOPE\/USDT/);
    const [before, from] = [exchange.asked.length, performance.now()];
    await delay(100);
    assert.ok(exchange.asked.length - before < 1 + (performance.now() - from) / 10);
  });

  it('does not start when the exchange lists none of the pairs', async () => {
    await openExchange(100);
    await assert.rejects(start({ pairs: 'NOPE/USDT' }), {
      code: 'invalid_settings',
      message: 'settings: MARKET_PAIRS is "NOPE/USDT", found none of them on binance',
    });
  });
});

describe('ExchangeFollower without Redis', () => {
  it('asks nothing while Redis does not answer, and catches up when it is back', async () => {
    const redis = await OwnServer.open('redis');
    const candles = randomCandles(200, { startMs });
    const exchange = await FakeExchange.open([{ base: 'BTC', quote: 'USDT', candles }]);
    exchange.setTime(startMs + 100.5 * hourMs);
    const worker = await openMarketWorker({
      exchange,
      redisUrl: redis.url,
      mongodbUrl: await migratedMongodbUrl(),
      options: failFast,
    });
    const { storage } = worker;
    const last = async () => (await storage.series.find(key))?.last;
    try {
      await worker.follower.start();
      await until('history', async () => (await last()) === startMs + 99 * hourMs);
      await redis.kill();
      const before = exchange.asked.length;
      exchange.setTime(startMs + 102.5 * hourMs);
      await until('a mark', async () =>
        ((await storage.feeds.find(btc))?.stale?.reason ?? '').includes('Redis does not answer'),
      );
      await delay(100);
      assert.equal(exchange.asked.length, before);
      await redis.start();
      await until('the missing hours', async () => (await last()) === startMs + 101 * hourMs);
    } finally {
      await worker.close();
      await exchange.close();
      await redis.close();
    }
  });
});

describe('the check of an ExchangeFollower', () => {
  it('says why a pair lags whose history is not complete yet', async () => {
    const follower = new ExchangeFollower({
      storage: { feeds: { list: () => Promise.resolve([newFeed(btc)]) } },
      source: { id: 'binance', clock: () => 0 },
      signal: new AbortController().signal,
    } as unknown as ExchangeFollowerOptions);
    assert.equal(
      await follower.check(),
      '1 pairs, 1 lag: BTC/USDT (its history is being fetched); 0 open gaps',
    );
  });
});
