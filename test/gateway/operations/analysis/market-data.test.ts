import assert from 'node:assert/strict';
import type { Candles } from '../../../../compute/model/candles.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { dropCandles } from '../../../support/candles/drop-candles.js';
import { randomCandles } from '../../../support/candles/random-candles.js';

const hourMs = 3_600_000;
const iso = (timeMs: number) => new Date(timeMs).toISOString();
const timesOf = ({ candles }: { candles: { time: string }[] }) => candles.map(({ time }) => time);
const asker =
  (service: () => TestService, name: string) =>
  (body: object, headers: Record<string, string> = {}) =>
    service().post(`/backend/analysis/${name}`, body, headers);

describe('POST /backend/analysis/candles', () => {
  let service: TestService;
  let btc: Candles;
  const ask = asker(() => service, 'candles');
  before(async () => ({ service, btc } = await openTestMarket({ computeNodes: 0 })));
  after(() => service.close());

  it('answers the last stored candles, the newest last', async () => {
    const { payload, result } = await ask({ asset: 'BTC', interval: '1h', limit: 3 });
    const { length } = btc.time;
    assert.deepEqual(payload, {
      ...{ asset: 'BTC', interval: '1h', tradeMarket: 'USDT', source: 'csv', count: 3 },
      asOf: iso(btc.time.at(-1)! + hourMs),
      firstTime: iso(btc.time[0]),
      candles: [length - 3, length - 2, length - 1].map((i) => ({
        time: iso(btc.time[i]),
        ...{ open: btc.open[i], high: btc.high[i], low: btc.low[i], close: btc.close[i] },
        volume: btc.volume[i],
      })),
      earlierEndTime: iso(btc.time.at(-3)!),
    });
    assert.ok(result.ttl! > 0);
  });

  it('gives every candle exactly once to a client that follows earlierEndTime', async () => {
    const times: string[] = [];
    let endTime: string | null = null;
    do {
      const { payload } = await ask({ asset: 'ETH', interval: '4h', limit: 77, endTime });
      times.unshift(...timesOf(payload));
      endTime = payload.earlierEndTime;
    } while (endTime !== null);
    const start = Date.parse(times[0]);
    assert.deepEqual(
      times,
      Array.from({ length: 600 }, (_, n) => iso(start + n * 4 * hourMs)),
    );
  });

  it('leaves out a candle that closes after endTime, however the time is written', async () => {
    const [first, second] = [btc.time[100], btc.time[101]];
    for (const [endTime, newest] of [
      [iso(second), first],
      [iso(second - 1), btc.time[99]],
      [iso(second + hourMs), second],
      [iso(second).replace('.000Z', '+00:00'), first],
      [iso(second).slice(0, 16) + 'Z', first],
    ] as const) {
      const { payload } = await ask({ asset: 'BTC', interval: '1h', limit: 1, endTime });
      assert.deepEqual(timesOf(payload), [iso(newest)], endTime);
    }
    const before = (await ask({ asset: 'BTC', endTime: '1990-01-01' })).payload;
    assert.deepEqual([before.count, before.candles, before.earlierEndTime], [0, [], null]);
    assert.equal(before.firstTime, iso(btc.time[0]));
  });

  it('refuses what it does not know, naming the field', async () => {
    for (const [body, field] of [
      [{}, 'ASSET'],
      [{ asset: 'NOPE' }, 'ASSET'],
      [{ asset: 'BTC', interval: '2h' }, 'INTERVAL'],
      [{ asset: 'BTC', tradeMarket: 'EUR' }, 'TRADE_MARKET'],
      [{ asset: 'BTC', limit: 501 }, 'LIMIT'],
      [{ asset: 'BTC', limit: 0 }, 'LIMIT'],
      [{ asset: 'BTC', endTime: 'yesterday' }, 'END_TIME'],
      [{ asset: 'BTC', endTime: '2024-13-40' }, 'END_TIME'],
      [{ asset: 'BTC', endTime: 1_700_000 }, 'END_TIME'],
    ] as const) {
      const { status, result } = await ask(body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(result.type, new RegExp(`^INVALID_INPUT_(MISSING|${field})$`));
    }
  });
});

describe('POST /backend/analysis/prices', () => {
  let service: TestService;
  const ask = asker(() => service, 'prices');
  before(async () => {
    service = await openTestService({ env: { MARKET: 'demo' }, computeNodes: 0 });
    for (const base of ['BTC', 'ETH', 'QUIET'])
      await service.storage.candles.add({ market: 'demo', base, quote: 'USDT' }, randomCandles(10));
  });
  after(() => service.close());

  it('answers decimals in text in the order asked, and says which are too old', async () => {
    const now = Date.now();
    await new Prices(service.deps.redis).put('demo', [
      { base: 'BTC', quote: 'USDT', price: 1e-7, change24hPercent: -0.1 - 0.2, time: now - 1_000 },
      { base: 'ETH', quote: 'USDT', price: 3_000, change24hPercent: null, time: now - 61_000 },
    ]);
    const { status, payload } = await ask({ assets: ['ETH', 'QUIET', 'BTC'] });
    assert.equal(status, 200);
    const none = {
      price: null,
      change24hPercent: null,
      time: null,
      change24hReason: 'no price is known yet',
    };
    assert.deepEqual(payload, {
      ...{ tradeMarket: 'USDT', source: 'demo' },
      prices: [
        {
          ...{ asset: 'ETH', price: '3000', change24hPercent: null, time: iso(now - 61_000) },
          ...{ isStale: true, symbol: 'ETH/USDT' },
          change24hReason: 'no price is known near 24 hours before',
        },
        { asset: 'QUIET', ...none, isStale: true, symbol: 'QUIET/USDT' },
        {
          ...{ asset: 'BTC', price: '0.0000001', change24hPercent: '-0.3', time: iso(now - 1_000) },
          ...{ isStale: false, symbol: 'BTC/USDT' },
          change24hReason: null,
        },
      ],
    });
  });

  it('refuses unknown assets, repeated ones, none, and more than 20', async () => {
    for (const assets of [['NOPE'], ['BTC', 'BTC'], [], Array.from({ length: 21 }, (_, n) => `A${n}`)]) {
      const { status, result } = await ask({ assets });
      assert.deepEqual([status, result.type], [400, 'INVALID_INPUT_ASSETS']);
    }
  });

  it('are the last closes of an imported market, with the change of 24 hours', async () => {
    const { service: imported, btc } = await openTestMarket({ computeNodes: 0 });
    try {
      const { payload } = await imported.post('/backend/analysis/prices', { assets: ['BTC', 'NEW'] });
      const [first, young] = payload.prices;
      assert.equal(Number(first.price), btc.close.at(-1));
      assert.equal(first.time, iso(btc.time.at(-1)! + hourMs));
      const change = (btc.close.at(-1)! / btc.close.at(-25)! - 1) * 100;
      assert.ok(Math.abs(Number(first.change24hPercent) - change) < 1e-9);
      assert.deepEqual([young.change24hPercent, young.isStale], [null, false]);
    } finally {
      await imported.close();
    }
  });
});

describe('POST /backend/analysis/data-status', () => {
  it('sums up the candles of each interval and lists the gaps of an asset', async () => {
    const service = await openTestService({ env: { MARKET: 'csv' }, computeNodes: 0 });
    try {
      const candles = dropCandles(randomCandles(24 * 10), (index) => [30, 31, 90].includes(index));
      await service.storage.candles.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, candles);
      await service.storage.candles.add({ market: 'csv', base: 'OLD', quote: 'USDT' }, randomCandles(48));
      const ask = asker(() => service, 'data-status');
      const one = (await ask({ asset: 'BTC' })).payload;
      const { time } = candles;
      const hours = { interval: '1h', pairs: 1, lastClose: iso(time.at(-1)! + hourMs), lagSeconds: 0 };
      assert.deepEqual(one.intervals[0], { ...hours, lagging: 0, candles: 237, missing: 3 });
      assert.deepEqual(one.gaps, [
        { from: iso(time[0] + 90 * hourMs), to: iso(time[0] + 91 * hourMs), missing: 1 },
        { from: iso(time[0] + 30 * hourMs), to: iso(time[0] + 32 * hourMs), missing: 2 },
      ]);
      assert.deepEqual([one.source, one.history, one.overdue], ['csv', 'imported', []]);
      const all = (await ask({})).payload;
      assert.deepEqual(all.intervals[0], { ...hours, pairs: 2, lagging: 1, candles: 285, missing: 3 });
      assert.deepEqual([all.asset, all.gaps], [null, []]);
      assert.deepEqual((await ask({ tradeMarket: 'EUR' })).payload.intervals, []);
      assert.equal((await ask({ asset: 'NOPE' })).result.type, 'INVALID_INPUT_ASSET');
    } finally {
      await service.close();
    }
  });

  it('says for how long a candle is overdue, and why', async () => {
    const service = await openTestService({ env: { MARKET: 'demo' }, computeNodes: 0 });
    try {
      const lastMs = Math.floor(Date.now() / hourMs) * hourMs - 5 * hourMs;
      const candles = randomCandles(30, { startMs: lastMs - 29 * hourMs });
      const pair = { market: 'demo', base: 'BTC', quote: 'USDT' };
      await service.storage.candles.add(pair, candles);
      await service.storage.feeds.follow('demo', [pair]);
      const feed = (await service.storage.feeds.find(pair))!;
      const stale = { since: lastMs + 2 * hourMs, reason: 'the exchange does not answer' };
      await service.storage.feeds.put({ ...feed, askedFrom: 0, stale }, 1);
      const before = Date.now();
      const { payload } = await asker(() => service, 'data-status')({});
      const { lagSeconds } = payload.intervals[0];
      assert.ok(lagSeconds >= Math.floor((before - lastMs - 2 * hourMs) / 1_000));
      assert.ok(lagSeconds <= (Date.now() - lastMs - 2 * hourMs) / 1_000);
      assert.deepEqual(payload.overdue, [{ asset: 'BTC', since: iso(stale.since), reason: stale.reason }]);
      assert.equal(payload.history, 'filled 1/1');
    } finally {
      await service.close();
    }
  });

  it("tells what is left of the caller's own points, and spends none for it", async () => {
    const service = await openTestService({ env: { RATE_GUEST: '50', RATE_FREE: '40' }, computeNodes: 0 });
    try {
      const ask = asker(() => service, 'data-status');
      const left = async (headers: Record<string, string>) =>
        (await ask({}, headers)).payload.rateLimit as {
          limit: number;
          remaining: number;
          resetSeconds: number;
        };
      const token = await service.signIn();
      for (const [headers, limit] of [
        [{}, 50],
        [{ 'session-token': token }, 40],
      ] as const) {
        const [first, second] = [await left(headers), await left(headers)];
        assert.deepEqual([first.limit, second.limit], [limit, limit]);
        assert.equal(first.remaining - second.remaining, 1);
        assert.ok(first.resetSeconds >= 1 && first.resetSeconds <= 60);
      }
    } finally {
      await service.close();
    }
  });
});
