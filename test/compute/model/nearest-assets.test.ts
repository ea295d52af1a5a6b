import assert from 'node:assert/strict';
import { nearestAssets } from '../../../compute/model/nearest-assets.js';

const known = ['ADA', 'AVAX', 'BCH', 'BNB', 'BTC', 'DOGE', 'ETC', 'ETH', 'SHIB', 'SOL', 'TRX', 'XRP'];

describe('nearestAssets', () => {
  it('finds the symbol that a misspelt one, a common name or a pair means', () => {
    for (const [given, expected] of [
      ['BTCC', ['BTC']],
      ['btc', ['BTC']],
      ['BCT', ['BCH', 'BTC']],
      ['bitcoin', ['BTC']],
      ['Bitcoin Cash', ['BCH']],
      ['Ethereum', ['ETH']],
      ['etherium', ['ETH']],
      ['bitcion', ['BTC']],
      ['BTCUSDT', ['BTC']],
      ['eth/usd', ['ETH']],
      ['SOL-USDC', ['SOL']],
      [' xrp ', ['XRP']],
      ['DOGEE', ['DOGE']],
    ] as const)
      assert.deepEqual(nearestAssets(given, known), expected, given);
  });

  it('names none where none is near, and none that is not known', () => {
    for (const given of [
      'TON',
      'ton',
      'tronn'.slice(1),
      'NOPE',
      'monero',
      '',
      ' ',
      '1234567',
      '__proto__',
      'constructor',
      'x'.repeat(20),
    ])
      assert.deepEqual(nearestAssets(given, known), [], given);
    assert.deepEqual(nearestAssets('bitcoin', []), []);
  });
});
