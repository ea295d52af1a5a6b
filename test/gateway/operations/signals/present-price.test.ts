import assert from 'node:assert/strict';
import { farFaults, presentPrice } from '../../../../gateway/operations/signals/market-faults.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';

describe('the price that a signal is compared with', () => {
  const context = temporaryRedis();
  const terms = { coin: 'BTC', quote: 'USDT', exchange: 'BINANCE', account: 'FUTURES' } as const;
  const put = (market: string, price: number) =>
    new Prices(context.redis).put(market, [
      { base: 'BTC', quote: 'USDT', price, change24hPercent: null, time: Date.now() },
    ]);
  const marketOf = (more: Partial<typeof terms> | { exchange: string }, settings: object) =>
    presentPrice(
      { ...terms, ...more },
      {
        redis: context.redis,
        settings: { MARKET: 'demo', LIVE_TRADING: 'on', ...settings },
        exchanges: { exchanges: { marketOf: () => 'binance' } },
      } as never,
      // No market worker runs that could ask the exchange.
      {} as never,
    );

  const priceOf = async (...asked: Parameters<typeof marketOf>) => (await marketOf(...asked)).price;

  it('is that of the exchange on which it is traded, and never one that the demo market makes up', async () => {
    await put('demo', 1);
    assert.equal(await priceOf({}, {}), null);
    assert.equal(await priceOf({}, { LIVE_TRADING: 'off' }), 1);
    assert.equal(await priceOf({ exchange: 'PAPER' }, {}), 1);
    await put('kraken', 2);
    assert.equal(await priceOf({}, { MARKET: 'kraken' }), 2);
    await put('binance-futures', 3);
    assert.equal(await priceOf({}, { MARKET: 'kraken' }), 3);
  });

  it('has to be known, or the entry confirmed, where real money is spent', async () => {
    const draft = { side: 'long', version: 2, prices: { max: '105' }, confirmsPrice: false } as const;
    const unknown = async (exchange: string, settings = {}) =>
      marketOf({ exchange, quote: 'BTC' } as { exchange: string }, settings);
    const faults = farFaults(draft, await unknown('BINANCE'));
    assert.deepEqual(
      faults.map(({ field, message }) => [field, message]),
      [
        [
          'entry_price_max',
          '"entry_price_max" cannot be compared with the market, whose price is not known now, found "105"; if it is meant, send "confirm_price": true',
        ],
      ],
    );
    assert.deepEqual(farFaults({ ...draft, confirmsPrice: true }, await unknown('BINANCE')), []);
    assert.deepEqual(farFaults({ ...draft, prices: {} }, await unknown('BINANCE')), []);
    assert.deepEqual(farFaults(draft, await unknown('PAPER')), []);
    assert.deepEqual(farFaults(draft, await unknown('BINANCE', { LIVE_TRADING: 'off' })), []);
  });
});
