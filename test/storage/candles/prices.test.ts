import assert from 'node:assert/strict';
import { Prices } from '../../../storage/candles/prices.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

describe('Prices', () => {
  const context = temporaryRedis();
  const btc = { base: 'BTC', quote: 'USDT' };
  const eth = { base: 'ETH', quote: 'USDT' };
  const price = { price: 1.0000000000000002, change24hPercent: -3.25, time: 1_700_000_000_000 };

  it('gives back what was put last, to the last bit, one pair or several', async () => {
    const [writer, reader] = [new Prices(context.redis), new Prices(context.another())];
    await writer.put('binance', [
      { ...btc, ...price, price: 2 },
      { ...eth, ...price, change24hPercent: null },
    ]);
    await writer.put('binance', [{ ...btc, ...price }]);
    assert.deepEqual(await reader.find({ market: 'binance', ...btc }), price);
    assert.deepEqual(await reader.findMany('binance', [eth, { base: 'NONE', quote: 'USDT' }, btc]), [
      { ...price, change24hPercent: null },
      null,
      price,
    ]);
  });

  it('keeps markets apart and returns null for unknown pairs', async () => {
    const prices = new Prices(context.redis);
    await prices.put('demo', [{ ...btc, ...price }]);
    assert.equal(await prices.find({ market: 'kraken', ...btc }), null);
    assert.equal(await prices.find({ market: 'demo', ...eth }), null);
    assert.deepEqual(await prices.findMany('demo', []), []);
    await prices.put('demo', []);
  });
});
