import { badValues, type BadRequest } from '../gateway/envelope.js';

const good = { asset: 'BTC' };

/** What is wrong with the fields that chart, flip-intelligence and backtest have in common. */
export const badSeriesFields: BadRequest[] = [
  ...badValues(good, 'asset', 'INVALID_INPUT_ASSET', [
    ...[undefined, null, 1, 0, true, {}, [], ['BTC'], { $ne: null }, { $gt: '' }],
    ...['', ' ', 'nope', 'BTC USDT', 'NOPE/USDT', 'WBTC', 'NOPE', 'A'.repeat(21), 'A'.repeat(10_000)],
    ...[
      '\ud800',
      'BTC\ud800',
      'BTC\0',
      '\0',
      '__proto__',
      'constructor',
      'toString',
      '$ne',
      '.*',
      'ВТС',
      '../BTC',
    ],
  ]),
  ...badValues(good, 'interval', 'INVALID_INPUT_INTERVAL', [
    ...[
      null,
      1,
      true,
      {},
      ['1h'],
      { $ne: null },
      '',
      '1w',
      '15m',
      '2h',
      '1m',
      '1w',
      '60',
      'toString',
      '__proto__',
    ],
  ]),
  ...badValues(good, 'tradeMarket', 'INVALID_INPUT_TRADE_MARKET', [
    ...[null, 1, true, {}, ['USDT'], { $ne: null }, '', 'EUR', 'BTC', 'USDT ', '\ud800', 'U'.repeat(21)],
    ...['__proto__', 'USDT\0'],
  ]),
  {
    what: 'an interval of which no candle has closed',
    body: { asset: 'NEW', interval: '1d' },
    ...{ status: 400, type: 'INVALID_INPUT_INTERVAL', field: 'interval' },
  },
  ...['1e400', '-1e400', '1e-400', '-0'].map((number) => ({
    what: `asset ${number}`,
    body: `{"asset":${number}}`,
    ...{ status: 400, type: 'INVALID_INPUT_ASSET', field: 'asset' },
  })),
  {
    what: 'an asset given twice, the second time wrong',
    body: '{"asset":"BTC","asset":1}',
    ...{ status: 400, type: 'INVALID_INPUT_ASSET', field: 'asset' },
  },
  {
    what: 'an asset 20,000 levels deep',
    body: `{"asset":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ...{ status: 400, type: 'INVALID_INPUT_ASSET', field: 'asset' },
  },
];
