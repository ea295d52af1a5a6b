import assert from 'node:assert/strict';
import { performance, readPerformance } from '../../../compute/market/performance.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const pairOf = (asset: string, seed: number) => ({
  asset,
  tradeMarket: 'USDT',
  candles: randomCandles(100, { seed }),
});

describe('performance analysis', () => {
  const pairs = [pairOf('BTC', 1), pairOf('ETH', 2), pairOf('SOL', 3)];

  it('answers for the assets asked about, in their order, against BTC', () => {
    const { rows: found } = performance.run({ pairs, interval: '1h', params: { assets: ['SOL', 'ETH'] } });
    assert.deepEqual(found, [
      { asset: 'SOL', ...readPerformance(pairs[2].candles, pairs[0].candles, '1h') },
      { asset: 'ETH', ...readPerformance(pairs[1].candles, pairs[0].candles, '1h') },
    ]);
    assert.ok(found[0].windows[0].figures!.relativeToBtcPoints !== null);
  });

  it('compares with nothing where BTC is not among the pairs', () => {
    const { rows } = performance.run({
      pairs: pairs.slice(1),
      interval: '1h',
      params: { assets: ['ETH'] },
    });
    assert.equal(rows[0].windows[0].figures!.relativeToBtcPoints, null);
  });

  it('refuses an asset whose candles are not given', () => {
    assert.throws(() => performance.run({ pairs, interval: '1h', params: { assets: ['XRP'] } }), {
      code: 'invalid_input',
      details: { field: 'assets', asset: 'XRP' },
    });
  });
});
