import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readAsset } from '../../../compute/model/asset-as-written.js';
import { readChoice, readTime } from '../../../compute/model/as-written.js';
import { nearestAssets } from '../../../compute/model/nearest-assets.js';
import { nearestNames } from '../../../compute/model/nearest-names.js';

const pairs = ['BTC', 'ETH', 'POL', 'SOL', 'TRUMP'].map((base) => ({ base, quote: 'USDT' }));

describe('readTime', () => {
  it('reads every moment in each form that people write it in, as UTC', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }), (minutesOrSeconds) => {
        const ms = Math.floor(minutesOrSeconds / 60) * 60_000;
        const iso = new Date(ms).toISOString();
        const [day, time] = [iso.slice(0, 10), iso.slice(11, 16)];
        const local = new Date(ms + 5.5 * 3_600_000).toISOString();
        const forms = [
          ...[iso, `${day} ${time}`, `${day}T${time}`, `${day}T${time}Z`, `${day} ${time}:00 UTC`],
          ...[`${day.replaceAll('-', '/')} ${time}`, `${local.slice(0, 10)}T${local.slice(11, 16)}+05:30`],
          ...[ms, ms / 1_000, String(ms), String(ms / 1_000)],
        ];
        for (const form of forms) assert.equal(readTime(form), ms, String(form));
        assert.equal(readTime(day), Date.parse(day));
      }),
    );
  });

  it('reads no day that its month lacks, and nothing that is not unique', () => {
    for (const none of [
      ...['2026-02-31', '2025-02-29', '2026-13-01', '2026-01-01T24:00', '2026-01-01 10:60', '2026-1-32'],
      ...['01/02/2026', '20260131', 'yesterday', '', '31', 12, NaN, Infinity, '2026-01-31T12'],
      ...['2026-01-31T12:00+99:99', '2026-01-31T12:00-14:30', '2026-01-31T12:00+01:75'],
    ])
      assert.equal(readTime(none), null, String(none));
  });
});

describe('readChoice', () => {
  const intervals = ['1h', '4h', '1d'];

  it('reads what means one of the choices', () => {
    for (const [written, choices, meant] of [
      ...[
        ['1D', '1d'],
        ['4H', '4h'],
        ['60m', '1h'],
        ['240 min', '4h'],
        ['daily', '1d'],
        ['24h', '1d'],
        ['1 day', '1d'],
      ].map(([text, value]) => [text, intervals, value] as const),
      ['LONG', ['long', 'short'], 'long'],
      ['6 months', ['3M', '6M', '1y'], '6M'],
      ['12M', ['3M', '6M', '1y'], '1y'],
      ['Buy & Hold', ['buy_and_hold', 'ema_cross'], 'buy_and_hold'],
      ['EMA cross', ['buy_and_hold', 'ema_cross'], 'ema_cross'],
    ] as const)
      assert.equal(readChoice(written, choices), meant, written);
  });

  it('leaves every other text as it is, so that it is refused, and no near one is offered for another length of time', () => {
    for (const text of ['15m', '1w', '1M', '2h', 'd1', '']) assert.equal(readChoice(text, intervals), text);
    for (const text of ['1w', '15m', '2h']) assert.deepEqual(nearestNames(text, intervals), []);
  });
});

describe('readAsset', () => {
  it('reads symbols, pairs, names and old symbols', () => {
    for (const [text, meant] of Object.entries({
      btc: { base: 'BTC' },
      $BTC: { base: 'BTC' },
      BTCUSDT: { base: 'BTC', quote: 'USDT' },
      'BTC/USDT': { base: 'BTC', quote: 'USDT' },
      'btc-usdt': { base: 'BTC', quote: 'USDT' },
      ETHBTC: { base: 'ETH', quote: 'BTC' },
      Bitcoin: { base: 'BTC' },
      'bitcoin/eur': { base: 'BTC', quote: 'EUR' },
      MATIC: { base: 'POL' },
    }))
      assert.deepEqual(readAsset(text, pairs), meant, text);
  });

  it('keeps the symbol of an asset that is known, whatever it was renamed to or ends with', () => {
    const known = [...pairs, ...['MATIC', 'WBTC', 'TUSD'].map((base) => ({ base, quote: 'USDT' }))];
    for (const base of ['MATIC', 'WBTC', 'TUSD'])
      assert.deepEqual(readAsset(base.toLowerCase(), known), { base });
  });

  it('reads no asset that is not known, and offers none with another first letter', () => {
    for (const text of ['WBTC', 'FARTCOIN', 'btc usdt', '']) assert.equal(readAsset(text, pairs), null, text);
    assert.deepEqual(nearestAssets('WBTC', ['BTC', 'ETH']), []);
    assert.deepEqual(nearestAssets('BCT', ['BTC', 'ETH']), ['BTC']);
  });
});
