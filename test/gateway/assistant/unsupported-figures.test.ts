import assert from 'node:assert/strict';
import { KnownFigures } from '../../../gateway/assistant/figures/known-figures.js';
import { unsupportedFigures } from '../../../gateway/assistant/agent/answer-by-model.js';
import { assertLinear } from '../../support/process/assert-linear.js';

const data = [
  {
    asset: 'BTC',
    price: 60123.456,
    change24h: -5.237,
    rate: 0.0842,
    volume: 1_534_000_000,
    drawdown: -31.66,
    ema_50: 58_700.1,
    states: ['accumulate', 'wait', 'wait'],
    as_of: '2026-11-22T14:00:00.000Z',
    since: 1_772_582_400,
    decimal: '0.000012345',
    trades: Array.from({ length: 17 }, () => null),
  },
  { interval: '4h', period: 14 },
];
const question = 'What would $10k have become since 3 March 2025 with a 2.5 % stop?';
const missing = (answer: string) => unsupportedFigures(answer, new KnownFigures(question, data));

describe('unsupportedFigures', () => {
  for (const answer of [
    'BTC is at 60,123.46 USDT, or 60,123, or $60.1k, or about 60,000.',
    'It fell 5.2 % in 24 hours (−5.24%, -5.237 percent).',
    'The rate is 8.42 % or 0.084.',
    'Volume: 1.5 billion, 1,534 million, 1.53B.',
    'The EMA50 stands at 58,700 on the 4h chart with RSI(14), RSI 14.',
    'The three states: 3 of them, 17 trades.',
    'As of 2026-11-22T14:00:00.000Z, 22 November 2026, Nov 22nd, 2026, November 2026, 22 Nov at 14:00 UTC, in 2026-11.',
    'Since 4 March 2026, in 2026.',
    'With 10,000 dollars and a stop 2.5 % below since March 3, 2025.',
    'Loss 31.7 %; a ratio of 0.00001234.',
    '1. First\n2. Second\n3) Third is the 3rd.',
    'Over 7 days or 365 days.',
    '',
  ])
    it(`takes "${answer.slice(0, 60)}"`, () => assert.deepEqual(missing(answer), []));

  for (const [answer, expected] of [
    ['BTC is at 60,124.', ['60,124']],
    ['BTC is at 60,123.5 or 60123.44.', ['60123.44']],
    ['BTC is at 61,000.', ['61,000']],
    ['About 70,000.', ['70,000']],
    ['It rose +5.2 %.', ['+5.2 %']],
    ['It fell −8.4 %.', ['−8.4 %']],
    ['A win rate of 73% over 42 trades.', ['73%', '42 trades']],
    ['On 23 November 2026 at 15:00.', ['23 November 2026', '15:00']],
    ['It returned 12.5x, 1.5 million.', ['12.5x', '1.5 million']],
    ['In 9 days it will be 100,000.', ['9 days', '100,000']],
    ['RSI at 27.', ['27']],
    ['Since 2019, in 2019-04.', ['2019-04', '2019']],
    ['Range 58,000-59,000.', ['58,000', '59,000']],
  ] as const)
    it(`finds ${expected.join(', ')} in "${answer}"`, () => assert.deepEqual(missing(answer), expected));

  it('takes time in proportion to a hostile answer', () => {
    for (const part of ['1,234', '9', '- ', 'may 1 '])
      assertLinear(part, (length) => part.repeat(length / part.length), missing);
  });

  it('reads a figure before a word that names a member of every object', () => {
    assert.deepEqual(missing('BTC has 9 constructor calls and 17 trades.'), ['9 constructor']);
  });
});
