import assert from 'node:assert/strict';
import { tradeResult } from '../../../../compute/ledger/trade-result.js';
import { Decimal } from '../../../../compute/model/decimal.js';
import { tradeOf } from '../../../../jobs/signals/booking/trade-of.js';
import { ExecutionRun } from '../../../../jobs/signals/run/execution-run.js';
import type { VenueFill } from '../../../../storage/exchanges/trading-venue.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';

const d = (text: string): Decimal => Decimal.parse(text);

describe('funding of a position', () => {
  const fillOf = (tradeId: string, quantity: Decimal, more: Partial<VenueFill>): VenueFill => ({
    ...{ tradeId, quantity, price: d('100'), baseFee: Decimal.zero, quoteFee: Decimal.zero, at: 1_000 },
    ...more,
  });
  /** The next order of the run, filled in whole. */
  const fill = (run: ExecutionRun, more: Partial<VenueFill>) => {
    const [order] = run.toPlace;
    const quantity = d(order.quantity);
    const fills = [fillOf(order.clientOrderId, quantity, more)];
    const ids = { clientOrderId: order.clientOrderId, exchangeOrderId: `x-${order.clientOrderId}` };
    run.applyPlacement(order, { state: { ...ids, status: 'filled', filled: quantity, fills } }, 1_000);
    return quantity;
  };
  const entered = () => {
    const state = encodeExecution(makeExecution({ leverage: 10 }));
    const run = new ExecutionRun(makeStoredExecution({ state, account: 'FUTURES' }));
    run.applyPrice(d('99.5'), new Date(0), 0);
    return { run, quantity: fill(run, { price: d('100'), quoteFee: d('1') }) };
  };

  it('is part of the profit of its trade, as the exchange tells it with what closes the position', () => {
    const { run, quantity } = entered();
    run.apply({ type: 'close', cause: 'the user closed it', at: 2_000 });
    fill(run, { price: d('101'), quoteFee: d('1'), funding: d('-0.25'), at: 3_000 });
    const stored = run.toStore(4_000);
    assert.deepEqual(
      stored.orders.flatMap(({ fills }) => fills.map(({ funding }) => funding)),
      [undefined, '-0.25'],
    );
    const trade = tradeOf(stored, null, () => null)!;
    // 1 for each unit, less both fees and what was paid for holding it.
    const expected = quantity.minus(d('2.25')).toString();
    assert.equal(tradeResult(trade).profit.toString(), expected);
    assert.equal(trade.funding.toString(), '-0.25');
  });

  it('is part of it after a liquidation, too, and is counted once', () => {
    const { run, quantity } = entered();
    const closing = fillOf('liquidation.0', quantity, { price: d('91'), funding: d('-0.5'), at: 3_000 });
    for (let n = 0; n < 2; n++) run.applyLiquidation(closing, 3_000);
    const trade = tradeOf(run.toStore(4_000), null, () => null)!;
    const expected = quantity.times(d('-9')).minus(d('1.5')).toString();
    assert.deepEqual([tradeResult(trade).profit.toString(), trade.funding.toString()], [expected, '-0.5']);
  });
});
