import assert from 'node:assert/strict';
import { presentPrice } from '../../../../gateway/operations/signals/market-faults.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';

describe('the price that a signal is compared with', () => {
  const context = temporaryRedis();
  const terms = { coin: 'BTC', quote: 'USDT', exchange: 'BINANCE', account: 'FUTURES' } as const;
  const put = (market: string, price: number) =>
    new Prices(context.redis).put(market, [
      { base: 'BTC', quote: 'USDT', price, change24hPercent: null, time: Date.now() },
    ]);
  const priceOf = (more: Partial<typeof terms> | { exchange: string }, settings: object) =>
    presentPrice({ ...terms, ...more }, {
      redis: context.redis,
      settings: { MARKET: 'demo', LIVE_TRADING: 'on', ...settings },
      exchanges: { exchanges: { marketOf: () => 'binance' } },
    } as never);

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
});
