import assert from 'node:assert/strict';
import type { Exchange } from 'ccxt';
import { LiveTradeStream } from '../../../../../storage/exchanges/live/stream/live-trade-stream.js';
import { openCcxt } from '../../../../../storage/exchanges/open-ccxt.js';
import type { PairTrade } from '../../../../../storage/exchanges/trading-venue.js';
import { findVenue } from '../../../../../storage/exchanges/venues/index.js';
import { ExchangeProcess } from '../../../../support/fake-exchange/exchange-process.js';
import { until } from '../../../../support/process/until.js';

const pairs = ['BTC', 'ETH', 'SOL'].map((base) => ({ base, quote: 'USDT' }));
const [btc] = pairs;

for (const dialect of ['binance', 'bybit', 'kucoin'] as const)
  describe(`LiveTradeStream on ${dialect}`, () => {
    let exchange: ExchangeProcess;
    let markets: Exchange;
    let nowMs = 0;
    let told: PairTrade[] = [];
    let ends: string[] = [];
    let stream: LiveTradeStream;
    const { trading, stream: venueStream } = findVenue(dialect)!;
    const open = async (hasSockets: boolean) => {
      const { exchange: client } = await openCcxt({
        ...{
          id: dialect,
          url: exchange.url,
          timeoutMs: 1_000,
          hasSockets,
          marketTypes: trading!.marketTypes,
        },
        signal: new AbortController().signal,
        afterAnswer: () => Promise.resolve(),
      });
      return client;
    };

    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      markets = await open(false);
      await markets.loadMarkets();
    });
    beforeEach(async () => {
      [nowMs, told, ends] = [0, [], []];
      await exchange.socketFaults({});
      stream = new LiveTradeStream({
        ...{ account: 'SPOT', stream: venueStream!, now: () => nowMs, random: () => 1, answerMs: 300 },
        async connect() {
          const client = await open(true);
          client.setMarketsFromExchange(markets);
          await venueStream!.prepareClient?.(client, 'SPOT');
          return client;
        },
        onTrades: (trades) => void told.push(...trades),
        onEnd: (reason) => void ends.push(reason),
      });
    });
    afterEach(() => stream.close());
    after(() => exchange.close());

    const topics = async () => (await exchange.sockets()).lines.flatMap((line) => line.topics).length;
    const follow = async (named: typeof pairs, expected: number) => {
      stream.follow(named);
      await until(`${expected} topics`, async () => (await topics()) === expected);
    };

    it('follows pairs as they come, and leaves them a minute after they were named last', async () => {
      await follow([btc], 1);
      await follow(pairs, 3);
      nowMs = 59_000;
      await follow([btc], 3);
      nowMs = 61_000;
      await follow([btc], 1);
      await until('the pair is told no longer', () => stream.streamedSince(pairs[2]) === null);
      await follow(pairs, 3);
      await exchange.price('SOLUSDT', '150');
      await until('a trade', () => told.some(({ pair, price }) => pair.base === 'SOL' && price === '150'));
      nowMs = 200_000;
      await follow([], 0);
      assert.deepEqual(ends, ['no pair is followed']);
    });

    it('connects again after a delay that grows, and at once not at all', async () => {
      await exchange.socketFaults({ isClosed: true });
      for (const delayMs of [1_000, 2_000, 4_000]) {
        const before = ends.length;
        stream.follow([btc]);
        await until('the failure', () => ends.length > before);
        nowMs += delayMs - 1;
        stream.follow([btc]);
        assert.equal(ends.length, before + 1);
        nowMs += 1;
      }
      await exchange.socketFaults({});
      await follow([btc], 1);
      await until('it is told', () => stream.streamedSince(btc) !== null);
      assert.equal(stream.streamedSince(pairs[1]), null);
    });

    it('ends a connection on which requests are not answered', async () => {
      await exchange.socketFaults({ isDeaf: true });
      stream.follow([btc]);
      await until('the end', () => ends.length > 0);
      assert.deepEqual(ends, ['the exchange did not answer a subscription']);
      assert.equal(stream.streamedSince(btc), null);
    });

    it('ends a connection that sends more than 20,000 messages in a second', async () => {
      await follow([btc], 1);
      const upkeep = JSON.stringify({ op: 'pong', type: 'pong', id: 1, result: null });
      const trade = async (price: string) => {
        await exchange.price('BTCUSDT', price);
        await until(price, () => told.some((each) => each.price === price));
      };
      await exchange.socketText('spot', upkeep, 15_000);
      await trade('61400');
      nowMs += 1_000;
      await exchange.socketText('spot', upkeep, 15_000);
      await trade('61410');
      assert.deepEqual(ends, []);
      await exchange.socketText('spot', upkeep, 5_001);
      await until('the end', () => ends.length > 0);
      assert.deepEqual(ends, ['the exchange sent more than 20000 messages in a second']);
    });

    it('leaves a pair to answers whose trades it has missed twice', async () => {
      await follow([btc, pairs[1]], 2);
      for (const topicsLeft of [2, 1]) {
        stream.replace([btc]);
        nowMs += 60_000;
        await until('the connection is gone', async () => (await topics()) === 0);
        await follow([btc, pairs[1]], topicsLeft);
      }
      nowMs += 3_600_001;
      await follow([btc, pairs[1]], 2);
    });

    it('forgets after an hour that it has missed trades of a pair', async () => {
      await follow([btc, pairs[1]], 2);
      for (const laterMs of [3_600_001, 60_000]) {
        stream.replace([btc]);
        nowMs += laterMs;
        await until('the connection is gone', async () => (await topics()) === 0);
        await follow([btc, pairs[1]], 2);
      }
    });
  });
