import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { accountDifferences } from '../../../../jobs/signals/reconcile/account-differences.js';
import type { OpenVenueOrder, VenuePosition } from '../../../../storage/exchanges/trading-venue.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import type { StoredExecution, StoredOrder } from '../../../../storage/signals/stored-execution.js';
import { storedFill } from '../../../support/signals/ended-execution.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';

const d = (text: string): Decimal => Decimal.parse(text);
const btc = { base: 'BTC', quote: 'USDT' };

/** An execution that holds so much. */
function holding(quantity: string, more: Partial<StoredExecution> = {}): StoredExecution {
  const plan = makeExecution({ side: more.marginMode === 'CROSS' ? 'short' : 'long' });
  const state = encodeExecution({
    ...plan,
    status: 'open',
    position: { ...plan.position, quantity: d(quantity) },
  });
  return makeStoredExecution({ status: 'open', state, ...more });
}
const order = (clientOrderId: string, more: Partial<StoredOrder> = {}): StoredOrder => ({
  ...storedOrder,
  ...{ clientOrderId, status: 'open', exchangeOrderId: 'x' },
  ...more,
});
const shown = (clientOrderId: string, filled = '0'): OpenVenueOrder => ({
  ...{ clientOrderId, exchangeOrderId: 'x', status: 'open', filled: d(filled), fills: [] },
  ...{ pair: btc, account: 'SPOT' },
});
const spot = (total: string) => [{ account: 'SPOT', asset: 'BTC', free: d(total), total: d(total) }] as const;
const short = (quantity: string) => [
  {
    account: 'FUTURES',
    pair: btc,
    quantity: d(quantity),
    entryPrice: d('100'),
    liquidationPrice: null,
  } as const,
];
const none = { open: [], holdings: [], positions: [], readAtMs: Infinity };
const heldOf = (observed: ReturnType<typeof accountDifferences>['observed']) =>
  [...observed].map(([id, { held }]) => [id, held]);

describe('accountDifferences', () => {
  it('finds none in an account that is as it is stored', () => {
    const executions = [holding('1', { orders: [order('a', { filled: '0.5', status: 'partly_filled' })] })];
    assert.deepEqual(
      accountDifferences({ ...none, executions, open: [shown('a', '0.5')], holdings: spot('1') }),
      {
        observed: new Map(),
        unexplained: null,
        foreign: [],
        isUnsettled: false,
      },
    );
  });

  it('looks up orders that are gone, filled further or open after their end, and compares no holdings then', () => {
    const orders = [
      order('gone'),
      order('further'),
      order('same'),
      order('ended', { status: 'cancelled' }),
      order('perhaps', { status: 'sent' }),
    ];
    const execution = holding('1', { orders });
    const open = [shown('further', '0.1'), shown('same'), shown('ended'), shown('own')];
    assert.deepEqual(accountDifferences({ ...none, executions: [execution], open }), {
      observed: new Map([[execution.id, { lookUp: ['gone', 'further', 'ended'], held: null, line: null }]]),
      unexplained: null,
      foreign: [open[3]],
      isUnsettled: false,
    });
  });

  it('takes what is missing from the newest executions first, over all pairs of the asset', () => {
    const executions = [holding('1'), holding('2', { pair: 'BTC/EUR' }), holding('4')];
    const { observed } = accountDifferences({ ...none, executions, holdings: spot('4.5') });
    assert.deepEqual(heldOf(observed), [
      [executions[0].id, '0'],
      [executions[1].id, '0.5'],
    ]);
  });

  it('waits while an order may be filled without its being stored', () => {
    const executions = [holding('1', { orders: [order('a', { status: 'sent' })] })];
    assert.deepEqual(accountDifferences({ ...none, executions }).observed, new Map());
  });

  it('compares a short with the position, and does not explain one of the other side', () => {
    const executions = [holding('2', { account: 'FUTURES', marginMode: 'CROSS' })];
    const of = (quantity: string) => accountDifferences({ ...none, executions, positions: short(quantity) });
    assert.deepEqual(of('-2'), { observed: new Map(), unexplained: null, foreign: [], isUnsettled: false });
    assert.deepEqual(heldOf(of('-0.5').observed), [[executions[0].id, '0.5']]);
    const { unexplained } = of('1');
    assert.equal(unexplained, 'the exchange holds 1 BTC where signals are short');
  });

  it('compares a long on cross margin with what the account has of the asset, and leaves a short alone', () => {
    const margin = (total: string) => [
      { account: 'MARGIN', asset: 'BTC', free: d('0'), total: d(total) } as const,
    ];
    const long = { ...holding('2'), account: 'MARGIN', marginMode: 'CROSS' } as const;
    const of = (execution: StoredExecution, total: string) =>
      accountDifferences({ ...none, executions: [execution], holdings: margin(total) });
    assert.deepEqual(of(long, '2'), {
      observed: new Map(),
      unexplained: null,
      foreign: [],
      isUnsettled: false,
    });
    assert.deepEqual(heldOf(of(long, '0.5').observed), [[long.id, '0.5']]);
  });

  it('leaves a short on cross margin alone, and looks for its liquidation where less is owed than it has sold', () => {
    const sold = holding('2', { account: 'MARGIN', marginMode: 'CROSS' });
    const of = (total: string, debt: string) =>
      accountDifferences({
        ...{ ...none, executions: [sold] },
        holdings: [{ account: 'MARGIN', asset: 'BTC', free: d('0'), total: d(total), debt: d(debt) }],
      });
    for (const total of ['-2', '-1', '5'])
      assert.deepEqual(of(total, '2'), {
        observed: new Map(),
        unexplained: null,
        foreign: [],
        isUnsettled: false,
      });
    const closed = { lookUp: [], held: null, isOwedLess: true, line: null };
    assert.deepEqual(of('0', '0').observed, new Map([[sold.id, closed]]));
    assert.deepEqual(accountDifferences({ ...none, executions: [sold] }).observed.size, 1);
  });

  it('does not tell a long on spot from a short on margin that share one wallet', () => {
    const executions = [
      holding('2'),
      holding('2', { account: 'MARGIN', marginMode: 'CROSS', status: 'open' }),
    ];
    const held = { ...none, executions, holdings: spot('0') };
    const shared = accountDifferences({ ...held, sharedWallet: new Set(['SPOT', 'MARGIN'] as const) });
    assert.deepEqual(shared.observed, new Map());
    assert.deepEqual(heldOf(accountDifferences(held).observed), [
      [executions[0].id, '0'],
      [executions[1].id, null],
    ]);
  });

  it('compares isolated margin with the position of its pair', () => {
    const long = { ...holding('2'), account: 'MARGIN', marginMode: 'ISOLATED' } as const;
    const position = { account: 'MARGIN', pair: btc, entryPrice: d('1'), liquidationPrice: null } as const;
    const of = (quantity: string) =>
      accountDifferences({
        ...none,
        executions: [long],
        positions: [{ ...position, quantity: d(quantity) }],
      });
    assert.deepEqual(of('2').observed, new Map());
    assert.deepEqual(heldOf(of('1').observed), [[long.id, '1']]);
  });

  it('believes balances that lack what was just bought once the trade is two seconds old', () => {
    const bought = order('a', {
      ...{ status: 'filled', filled: '1', updatedAt: new Date(10_000) },
      fills: [storedFill({ quantity: '1' })],
    });
    const executions = [holding('1', { orders: [bought] })];
    const of = (readAtMs: number) => accountDifferences({ ...none, executions, readAtMs });
    assert.deepEqual([of(11_900).observed.size, of(11_900).isUnsettled], [0, true]);
    assert.deepEqual(heldOf(of(12_000).observed), [[executions[0].id, '0']]);
  });

  it('compares the long and the short of an account in hedge mode each with its own position', () => {
    const long = holding('2', { account: 'FUTURES' });
    const other = holding('3', { account: 'FUTURES', marginMode: 'CROSS' });
    const hedged = (quantity: string) => ({ ...short(quantity)[0], isHedged: true });
    const of = (...positions: VenuePosition[]) =>
      accountDifferences({ ...none, executions: [long, other], positions });
    assert.deepEqual(of(hedged('2'), hedged('-3')).observed, new Map());
    const sold = of(hedged('-3'));
    assert.deepEqual([heldOf(sold.observed), sold.unexplained], [[[long.id, '0']], null]);
  });
});
