import assert from 'node:assert/strict';
import { pairName } from '../../../../compute/model/market-pair.js';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { VenueMarket } from '../../../../storage/exchanges/trading-venue.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { VenueFeed, type VenueFeedOptions } from '../../../../jobs/signals/price-watch/venue-feed.js';
import { listenToTicks } from '../../../../storage/candles/market-ticks.js';
import type { ChannelListener } from '../../../../storage/servers/channel-listener.js';
import type { StreamAccount } from '../../../../storage/exchanges/venue-stream.js';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import { until } from '../../../support/process/until.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { LiveRig } from '../../../support/venues/live-rig.js';

const pairs = ['BTC', 'ETH'].map((base) => ({ base, quote: 'USDT' }));

for (const dialect of ['binance', 'bybit', 'kucoin'] as const)
  describe(`prices of ${dialect}`, () => {
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let exchange: ExchangeProcess;
    let live: LiveRig;
    let feeds: VenueFeed[] = [];
    let listeners: ChannelListener[] = [];
    let failures: string[] = [];

    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      live = new LiveRig(exchange, context.storage, redis.redis);
      await exchange.price('ETHUSDT', '3000');
    });
    beforeEach(async () => {
      failures = [];
      await exchange.socketFaults({});
      await exchange.price('BTCUSDT', '61000');
    });
    afterEach(async () => {
      await Promise.all(feeds.map((feed) => feed.close()));
      for (const listener of listeners) listener.close();
      [feeds, listeners] = [[], []];
      await exchange.faults({ seed: 1, rules: [] });
    });
    after(() => exchange.close());

    /** A feed, and the ticks that it publishes. */
    const openFeed = async (more: Partial<VenueFeedOptions> = {}, account: StreamAccount = 'SPOT') => {
      const market = more.market ?? live.venue.markets.get(account)!;
      const ticks: MarketTick[] = [];
      const listener = listenToTicks(redis.another(), market.name, { ticks: (all) => ticks.push(...all) });
      listeners.push(listener);
      await listener.subscribed;
      const log = { warn: (what: { reason?: string }) => void failures.push(what.reason ?? 'an answer') };
      const times = { everyMs: 50, quietMs: 60_000, gapMs: 5_000, missedMs: 200 };
      const options = { redis: redis.redis, market, pairs: () => pairs, log, times };
      feeds.push(new VenueFeed({ ...options, ...more }));
      const pricesOf = (base = 'BTC') =>
        ticks.filter(({ pair }) => pair.base === base).map(({ price }) => String(price));
      return { ticks, pricesOf, sees: (price: string) => until(price, () => pricesOf().includes(price)) };
    };
    /** Resolves when a socket follows all pairs. */
    const followed = (kind: 'spot' | 'futures' = 'spot') =>
      until(`the socket of ${kind}`, async () => {
        const { lines } = await exchange.sockets();
        return lines.some((line) => line.kind === kind && line.topics.length === pairs.length);
      });
    const noAnswers = () =>
      exchange.faults({
        seed: 1,
        rules: [{ on: 'public', times: null, fault: { kind: 'status', isDone: false, status: 503 } }],
      });

    it('are told over one socket for each kind of market, whatever the pairs, while nothing is answered', async () => {
      const { opened } = await exchange.sockets();
      const [spot, futures] = [await openFeed(), await openFeed({}, 'FUTURES')];
      await Promise.all([followed('spot'), followed('futures'), spot.sees('61000'), futures.sees('61000')]);
      await noAnswers();
      const startMs = Date.now();
      for (const price of ['61500', '60500', '61100']) await exchange.price('BTCUSDT', price);
      await exchange.price('ETHUSDT', '3001');
      for (const { ticks, sees, pricesOf } of [spot, futures]) {
        await sees('61100');
        await until('the other pair', () => pricesOf('ETH').includes('3001'));
        const told = ticks.filter(({ pair, at }) => pair.base === 'BTC' && at >= startMs - 5);
        assert.ok(told.some(({ high }) => String(high) === '61500'));
        assert.ok(told.some(({ low }) => String(low) === '60500'));
        assert.ok(told.every(({ at, since }) => at <= Date.now() + 1 && since <= at));
      }
      assert.equal((await exchange.sockets()).opened, opened + 2);
    });

    it('count by the clock of the exchange, whatever the one of this machine', async () => {
      const ahead = (lagMs: number | null) => {
        const at = () => Date.now() + 60_000;
        const tickAt = (pair: (typeof pairs)[number], time: number): MarketTick => {
          const price = Decimal.parse('61234');
          return { pair, price, high: price, low: price, volume: null, since: time, at: time };
        };
        const market: VenueMarket = {
          name: `${dialect} ahead ${lagMs}`,
          ticks: (asked) => Promise.resolve(asked.map((pair) => tickAt(pair, at()))),
          ...(lagMs !== null && { lagMs: () => lagMs }),
        };
        return openFeed({ market });
      };
      const [known, unknown] = [await ahead(-60_000), await ahead(null)];
      await known.sees('61234');
      assert.ok(known.ticks.every(({ at }) => at > Date.now() + 50_000));
      assert.deepEqual(unknown.ticks, []);
    });

    it('are told at once where the clock of the exchange is set back, and their times never run back', async () => {
      let lagMs = 0;
      let price = '61000';
      const at = () => Date.now() - lagMs;
      const market: VenueMarket = {
        name: `${dialect} set back`,
        ticks: (asked) =>
          Promise.resolve(
            asked.map((pair): MarketTick => {
              const value = Decimal.parse(price);
              return { pair, price: value, high: value, low: value, volume: null, since: at(), at: at() };
            }),
          ),
        lagMs: () => lagMs,
      };
      const feed = await openFeed({ market });
      await feed.sees('61000');
      [lagMs, price] = [3_600_000, '61234'];
      await feed.sees('61234');
      for (const base of new Set(feed.ticks.map(({ pair }) => pair.base))) {
        const times = feed.ticks.filter(({ pair }) => pair.base === base).map((tick) => tick.at);
        assert.deepEqual(
          times,
          [...times].sort((one, other) => one - other),
        );
        // They run on, two seconds in a hundred slower.
        assert.ok(times.at(-1)! > Date.now() - 60_000);
      }
    });

    it('are asked for while the socket does not answer, and told when it is back', async () => {
      const { sees, ticks } = await openFeed();
      await followed();
      await exchange.socketFaults({ isClosed: true });
      await exchange.cutSockets();
      await exchange.price('BTCUSDT', '61200');
      await sees('61200');
      await noAnswers();
      for (const price of ['62300', '61250']) await exchange.price('BTCUSDT', price);
      await exchange.faults({ seed: 1, rules: [] });
      await exchange.socketFaults({});
      await followed();
      await until('the extremes meanwhile', () => ticks.some(({ high }) => String(high) === '62300'));
      await noAnswers();
      await exchange.price('BTCUSDT', '61300');
      await sees('61300');
      assert.deepEqual([...new Set(failures)].length > 0, true);
    });

    it('come from another socket when answers show trades that are not told', async () => {
      const { sees } = await openFeed({ times: { everyMs: 50, quietMs: 100, gapMs: 5_000, missedMs: 200 } });
      await followed();
      await sees('61000');
      const { opened } = await exchange.sockets();
      await exchange.socketFaults({ isSilent: true });
      await exchange.price('BTCUSDT', '61200');
      await sees('61200');
      await until('another socket', async () => (await exchange.sockets()).opened > opened);
      assert.ok(
        failures.some((reason) => reason === 'trades of BTC/USDT were not streamed'),
        String(failures),
      );
      await exchange.socketFaults({});
      await followed();
      await exchange.price('BTCUSDT', '61300');
      await sees('61300');
    });

    it('count only where they are prices of the pair, of now and in their order', async () => {
      const { ticks, sees } = await openFeed();
      await followed();
      await sees('61000');
      await noAnswers();
      const now = Date.now();
      const wrong: { price: string; at?: number; id?: string }[] = [
        ...['0', '-1', 'NaN', '', '1e3', '612000', '6', 'null'].map((price) => ({ price })),
        { price: '61001', at: now - 60_000 },
        { price: '61002', at: now + 60_000 },
      ];
      for (const trade of wrong) await exchange.socketTrade('BTCUSDT', trade);
      await exchange.socketTrade('SOLUSDT', { price: '61003' });
      for (const text of [
        '{',
        'null',
        '[]',
        '"text"',
        '{}',
        '{"e":"aggTrade"}',
        '{"topic":"publicTrade."}',
        '[1]',
      ])
        await exchange.socketText('spot', text);
      // A time that is a little ahead keeps no later price out.
      await exchange.socketTrade('BTCUSDT', { price: '61010', at: now + 5_000, id: '1000001' });
      await sees('61010');
      await exchange.socketTrade('BTCUSDT', { price: '61011', id: '1000002' });
      await sees('61011');
      // Told once more, and one of the past.
      await exchange.socketTrade('BTCUSDT', { price: '61012', at: now - 5_000, id: '1000003' });
      await exchange.price('BTCUSDT', '61020');
      await sees('61020');
      const known = ['61000', '61010', '61011', '61020'];
      const seen = ticks.filter(({ pair }) => pairName(pair) === 'BTC/USDT');
      assert.deepEqual(
        seen
          .flatMap(({ price, high, low }) => [price, high, low].map(String))
          .filter((each) => !known.includes(each)),
        [],
      );
      assert.ok(seen.every(({ at }, n) => n === 0 || at > seen[n - 1].at));
      assert.ok(ticks.every(({ pair }) => pairs.some(({ base }) => base === pair.base)));
    });

    it('go on with another connection when one sends too much, or what was not asked for', async () => {
      const { sees } = await openFeed();
      for (const [message, times] of [
        [{ data: 'x'.repeat(1_100_000) }, 1],
        [{}, 101],
      ] as const) {
        await followed();
        const { opened } = await exchange.sockets();
        await exchange.socketText('spot', JSON.stringify(message), times);
        await until('another socket', async () => (await exchange.sockets()).opened > opened);
      }
      await followed();
      await exchange.price('BTCUSDT', '61400');
      await sees('61400');
    });

    it('leave out the pair that is refused, and no other', async () => {
      const refused = {
        binance: 'ethusdt@aggTrade',
        bybit: 'publicTrade.ETHUSDT',
        kucoin: '/market/match:ETH-USDT',
      }[dialect];
      await exchange.socketFaults({ refused: [refused] });
      const { sees, pricesOf } = await openFeed();
      await until('the socket of the other pair', async () => {
        const { lines } = await exchange.sockets();
        return lines.some(({ topics }) => topics.length === 1);
      });
      await exchange.price('BTCUSDT', '61500');
      await exchange.price('ETHUSDT', '3002');
      await sees('61500');
      await until('the answer for the refused pair', () => pricesOf('ETH').includes('3002'));
      await exchange.price('ETHUSDT', '3000');
    });

    it('are completed with the extremes since another process has ended, but for a print far from all others', async () => {
      // KuCoin's times are in nanoseconds: read as floating-point numbers, they may be a millisecond early.
      const followedUntilMs = Date.now() - 2;
      for (const price of ['62000', '30000', '60200', '61100']) await exchange.price('BTCUSDT', price);
      const { ticks } = await openFeed({ followedUntilMs });
      const found = await until('the extremes', () => ticks.find(({ high }) => String(high) === '62000'));
      assert.deepEqual([found.pair.base, String(found.price), String(found.low)], ['BTC', '61100', '60200']);
      assert.equal(found.since, followedUntilMs);
    });
  });
