import assert from 'node:assert/strict';
import type { Exchange } from 'ccxt';
import { AppError } from '../../../../compute/model/errors.js';
import { liveMarkets } from '../../../../storage/exchanges/live/live-markets.js';
import { findVenue } from '../../../../storage/exchanges/venues/index.js';

describe('prices of the markets of a venue', () => {
  it('are told although the exchange has taken one of them off, which its list shows later', async () => {
    const asked: string[][] = [];
    const fetchTickers = async (symbols: string[]) => {
      asked.push(symbols);
      // "Errors" of Binance's spot API, -1121: "Invalid symbol.", for all symbols of a request.
      if (symbols.includes('OLD/USDT')) throw new AppError('exchange_refused', 'Invalid symbol.');
      return Object.fromEntries(symbols.map((symbol) => [symbol, { last: '5', timestamp: 9 }]));
    };
    const markets = { 'OLD/USDT': {}, 'NEW/USDT': {} };
    const client = { markets, fetchTickers } as unknown as Exchange;
    const market = liveMarkets(
      findVenue('binance')!,
      (request) => request(client),
      () => Promise.reject(new Error('no connection')),
    ).get('SPOT')!;
    const [gone, there] = ['OLD', 'NEW'].map((base) => ({ base, quote: 'USDT' }));
    const found = await market.ticks([gone, there]);
    assert.deepEqual(
      found.map(({ pair, price }) => [pair.base, String(price)]),
      [['NEW', '5']],
    );
    assert.deepEqual(asked, [['OLD/USDT', 'NEW/USDT'], ['OLD/USDT'], ['NEW/USDT']]);
    assert.deepEqual(await market.ticks([gone]), []);
  });
});
