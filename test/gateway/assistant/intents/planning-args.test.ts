import assert from 'node:assert/strict';
import { intentNamed } from '../../../../gateway/assistant/analyst/intents.js';
import type { Slots } from '../../../../gateway/assistant/analyst/slots.js';

/** What the slots of a question become as arguments of the tool. */
const cases: readonly [intent: string, slots: Slots, args: Record<string, unknown>][] = [
  ['assess-risk', { asset: 'BTC' }, { coin: 'BTC' }],
  ['tail-risk', { asset: 'BTC', assets: ['BTC', 'ETH'] }, { weights: { BTC: 50, ETH: 50 } }],
  ['tail-risk', { asset: 'BTC', weights: { BTC: 60, ETH: 40 } }, { weights: { BTC: 60, ETH: 40 } }],
  // A stop above the entry is that of a short.
  [
    'position-size',
    { amount: 500, percent: 1, entry: 0.0000001, stop: 0.0000002 },
    {
      ...{ account_size: 500, risk_percent: 1, entry: '0.0000001', stop: '0.0000002' },
      side: 'short',
    },
  ],
  [
    'target-probability',
    { asset: 'BTC', target: 50, stop: 70, candles: 20 },
    { asset: 'BTC', side: 'short', target: '50', stop: '70', max_candles: 20 },
  ],
  ['trade-levels', { asset: 'BTC', count: 40 }, { asset: 'BTC', targets: 6 }],
  // The highest price is bought first, whatever is named first.
  [
    'dca-ladder',
    { prices: [90, 100, 90], amount: 10 },
    { first_price: '100', first_amount: 10, levels: [{ buy_price: '90', multiplier: 1 }] },
  ],
  [
    'dca-ladder',
    { prices: [100], percent: 10, amount: 10 },
    {
      ...{ first_price: '100', first_amount: 10 },
      levels: [
        { buy_price: '90', multiplier: 1 },
        { buy_price: '81', multiplier: 1 },
      ],
    },
  ],
  ['profits', { windowHours: 24 }, { period: 'today' }],
  ['profits', { windowHours: 168 }, { period: '7d' }],
  ['profits', { windowHours: 720, groupBy: 'day' }, { period: '30d', group_by: 'day' }],
  ['profits', { period: '3M' }, { period: '90d' }],
  ['profits', { period: '6M' }, { period: '1y' }],
  ['profits', { isAllTime: true }, { period: 'all' }],
  // The curve has no period below thirty days.
  ['equity', { windowHours: 24 }, { period: '30d' }],
  // A state that only signals have does not filter orders, and the reverse.
  ['orders', { status: 'closed' }, {}],
  ['signals', { status: 'filled' }, {}],
  ['signals', { status: 'entry_pending' }, { status: 'entry_pending' }],
  ['walk-forward', { asset: 'BTC', count: 50 }, { asset: 'BTC', folds: 10 }],
  ['monte-carlo', { backtestId: 'b', count: 3 }, { backtest_id: 'b', paths: 200 }],
  ['backtest-trades', { backtestId: 'b' }, { backtest_id: 'b', section: 'trades' }],
  [
    'portfolio-risk',
    { changes: [{ asset: 'BTC', quantity: -0.5 }] },
    { changes: [{ asset: 'BTC', quantity_delta: -0.5 }] },
  ],
];

describe('the arguments of intents about accounts and planning', () => {
  for (const [name, slots, args] of cases)
    it(`${name} ${JSON.stringify(slots)}`, () => assert.deepEqual(intentNamed(name)!.args(slots), args));
});
