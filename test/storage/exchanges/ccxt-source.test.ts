import assert from 'node:assert/strict';
import { candleColumns } from '../../../compute/model/candles.js';
import { CcxtSource } from '../../../storage/exchanges/ccxt-source.js';
import type { GuardedExchangeOptions } from '../../../storage/exchanges/guarded-exchange.js';
import { openCcxt } from '../../../storage/exchanges/open-ccxt.js';
import { FakeExchange, hangs } from '../../support/fake-exchange/fake-exchange.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { until } from '../../support/process/until.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { hourMs } from '../candles/candle-parts.js';

const startMs = Date.UTC(2024, 0, 1);
const btc = { base: 'BTC', quote: 'USDT' };
const never = new AbortController().signal;

describe('CcxtSource', () => {
  const context = temporaryRedis();
  const candles = randomCandles(1_300, { startMs });
  let exchange: FakeExchange;

  beforeEach(async () => {
    await context.redis.flushdb();
    exchange = await FakeExchange.open([
      { ...btc, candles, turnover: 5e9 },
      { base: 'OLD', quote: 'USDT', candles, status: 'BREAK' },
      { base: 'ETH', quote: 'BTC', candles },
      { base: '币安人生', quote: 'USDT', candles },
    ]);
    exchange.setTime(startMs + 1_200.5 * hourMs);
  });
  afterEach(() => exchange.close());

  const open = (options: Partial<GuardedExchangeOptions> = {}) =>
    CcxtSource.open({
      redis: context.redis,
      id: 'binance',
      url: exchange.url,
      budgetPerMinute: 1e6,
      signal: never,
      timeoutMs: 30_000,
      now: exchange.now,
      ...options,
    });

  it('says in plain words that an exchange is out of reach, whatever the driver says', async () => {
    for (const url of ['http://127.0.0.1:1', 'http://no-such-host.invalid'])
      await assert.rejects((await open({ url })).pairs(), {
        code: 'exchange_unavailable',
        message: "Binance can't be reached from here",
      });
  });

  it('asks nothing until it is asked, and for the list of pairs once', async () => {
    const source = await open();
    assert.equal(exchange.asked.length, 0);
    await source.pairs();
    await source.pairs();
    assert.deepEqual(
      exchange.asked.map(({ path }) => path),
      ['/api/v3/exchangeInfo'],
    );
  });

  it('lists the pairs of the spot market whose symbols clients can write, and whether they are traded', async () => {
    const pairs = await (await open()).pairs();
    assert.deepEqual(pairs, [
      { ...btc, active: true },
      { base: 'OLD', quote: 'USDT', active: false },
      { base: 'ETH', quote: 'BTC', active: true },
    ]);
  });

  it('gives hours to the last bit, from the one asked for on, as many as asked for', async () => {
    const source = await open();
    assert.equal(source.pageHours, 1_000);
    const from = 100;
    const rows = await source.hours(btc, candles.time[from], 1_000);
    const expected = Array.from({ length: 1_000 }, (_, i) =>
      candleColumns.map((column) => candles[column][from + i]),
    );
    assert.deepEqual(rows, expected);
    assert.deepEqual(
      exchange.klines.map(({ symbol, startTime, limit }) => ({ symbol, startTime, limit })),
      [{ symbol: 'BTCUSDT', startTime: candles.time[from], limit: 1_000 }],
    );
  });

  it('refuses a pair that is not listed without taking the exchange for away', async () => {
    const source = await open();
    for (let n = 0; n < 7; n++) {
      await assert.rejects(source.hours({ base: 'NOPE', quote: 'USDT' }, startMs, 10), {
        code: 'exchange_refused',
        message: /NOPE\/USDT/,
      });
    }
    exchange.fault = () => ({ kind: 'status', status: 400, body: { code: -1121, msg: 'Invalid symbol.' } });
    for (let n = 0; n < 7; n++) {
      await assert.rejects(source.hours(btc, startMs, 10), {
        code: 'exchange_refused',
        message: /Invalid symbol/,
      });
    }
    exchange.fault = () => undefined;
    assert.equal((await source.hours(btc, startMs, 10)).length, 10);
  });

  it('requests the prices of few pairs by name and of many pairs without names, and returns only the wanted ones', async () => {
    const source = await open();
    const many = Array.from({ length: 100 }, (_, n) => ({ base: `X${n}`, quote: 'USDT' }));
    const some = await source.ticks([btc]);
    const all = await source.ticks([btc, ...many]);
    const price = (candles.high[1_200] + candles.low[1_200]) / 2;
    for (const ticks of [some, all]) {
      assert.deepEqual(
        ticks.map(({ base, quote, price }) => ({ base, quote, price })),
        [{ ...btc, price }],
      );
      assert.ok(Math.abs(ticks[0].change24hPercent! - (price / candles.close[1_176] - 1) * 100) < 0.001);
    }
  });

  it('prices the other pairs where one is listed no more since the pairs were read', async () => {
    const source = await open();
    const pairs = [btc, { base: 'OLD', quote: 'USDT' }];
    assert.equal((await source.ticks(pairs)).length, 2);
    exchange.engine.pairs.delete('OLDUSDT');
    const ticks = await source.ticks(pairs);
    assert.deepEqual(
      ticks.map(({ base }) => base),
      ['BTC'],
    );
    assert.equal(await context.redis.hget('tidemark:circuit:binance', 'failures'), null);
  });

  it('returns the turnover by pair', async () => {
    const turnover = await (await open()).turnover('USDT');
    assert.equal(turnover.get('BTC/USDT'), 5e9);
    assert.equal(turnover.has('ETH/BTC'), false);
  });

  it('ends a request whose body does not come to its end', async () => {
    await (await open()).pairs();
    const source = await open({ timeoutMs: 2_000 });
    await source.pairs();
    exchange.fault = ({ path }) => (path.endsWith('klines') ? { kind: 'stall', isDone: false } : undefined);
    await assert.rejects(source.hours(btc, startMs, 10), {
      code: 'exchange_unavailable',
      message: /timed out/,
    });
  });

  it('cancels a request at once when the signal is aborted, which does not count as a failure of the exchange', async () => {
    const end = new AbortController();
    const source = await open({ signal: end.signal, timeoutMs: 60_000 });
    exchange.fault = () => hangs;
    const before = exchange.asked.length;
    const cancelled = assert.rejects(source.hours(btc, startMs, 10), { code: 'cancelled' });
    await until('the request', () => exchange.asked.length > before);
    end.abort();
    await cancelled;
    assert.equal(await context.redis.hget('tidemark:circuit:binance', 'failures'), null);
  });

  const pauses: [title: string, status: number, retryAfter: string | undefined, seconds: number][] = [
    ['the seconds of 429', 429, '7', 7],
    ['the date of 429', 429, 'date', 20],
    ['a minute for 429 that says no time', 429, undefined, 60],
    ['the seconds of 418', 418, '240', 240],
    ['two minutes for 418 that says no time', 418, undefined, 120],
    ['a minute for 429 with words in the place of the time', 429, 'soon', 60],
  ];
  for (const [title, status, retryAfter, seconds] of pauses) {
    it(`pauses requests for ${title}`, async () => {
      const source = await open();
      const inSeconds = new Date(Date.now() + seconds * 1_000 + 999).toUTCString();
      const text = retryAfter === 'date' ? inSeconds : retryAfter;
      exchange.fault = () => ({
        kind: 'status',
        status,
        ...(text === undefined ? {} : { retryAfter: text }),
      });
      const started = performance.now();
      await assert.rejects(source.pairs(), { code: 'exchange_unavailable' });
      exchange.fault = () => undefined;
      await assert.rejects(
        (await open()).pairs(),
        ({ code, details }: { code: string; details: { retryAfterMs: number } }) => {
          assert.equal(code, 'exchange_unavailable');
          const lateMs = seconds * 1_000 - details.retryAfterMs;
          assert.ok(lateMs > -1_001 && lateMs < 1_001 + performance.now() - started, `${lateMs} ms`);
          return true;
        },
      );
      assert.equal(exchange.asked.length, 1);
    });
  }

  it('does not send a request that waited for the budget when the exchange asked for a pause', async () => {
    // A weight of 220 a minute, of which polling may use 22; the list of pairs has a weight of 20, a page of 2.
    const source = await open({ budgetPerMinute: 44 });
    await source.pairs();
    exchange.fault = () => ({ kind: 'status', status: 429, retryAfter: '5' });
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => source.hours(btc, startMs, 1_000)),
    );
    assert.ok(answers.every(({ status }) => status === 'rejected'));
    assert.ok(exchange.klines.length <= 2, `${exchange.klines.length} requests`);
  });

  it('opens the circuit after five failures in a row and asks no more', async () => {
    const source = await open();
    exchange.fault = () => ({ kind: 'status', status: 500 });
    for (let n = 0; n < 8; n++) await assert.rejects(source.pairs(), { code: 'exchange_unavailable' });
    assert.equal(exchange.asked.length, 5);
  });
});

describe('openCcxt', () => {
  const options = {
    url: 'http://127.0.0.1:9/',
    timeoutMs: 100,
    signal: never,
    afterAnswer: async () => undefined,
  };

  it('sends every address of an exchange to the one given', async () => {
    for (const id of ['binance', 'kraken', 'okx']) {
      const { exchange } = await openCcxt({ ...options, id });
      const addresses = JSON.stringify(exchange.urls.api).match(/"https?:[^"]*"/g)!;
      assert.ok(addresses.length > 0);
      assert.deepEqual(
        addresses.filter((address) => !/^"http:\/\/127\.0\.0\.1:9(\/(?!\/)|"$)/.test(address)),
        [],
        id,
      );
    }
  });

  it('refuses an exchange that serves no 1h candles', async () => {
    await assert.rejects(openCcxt({ ...options, id: 'zaif' }), {
      code: 'invalid_settings',
      message: 'settings: the exchange "zaif" of MARKET or EXCHANGES serves no 1h candles',
    });
  });
});
