import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import type { StoredExecution, StoredOrder } from '../../../storage/signals/stored-execution.js';
import { encodeExecution } from '../../../storage/signals/execution-json.js';
import { makeExecution } from '../signals/make-execution.js';
import { makeStoredExecution } from '../signals/make-stored-execution.js';
import { judgeExecution } from './judge-execution.js';
import type { VenueLedgerOrder } from './venue-ledger.js';

const d = (text: string) => Decimal.read(text);

const order = (leg: string, side: 'buy' | 'sell', filled: string): StoredOrder => ({
  ...{ clientOrderId: `id-of-${leg}`, leg, revision: 1, side, type: 'limit', price: '100', stopPrice: null },
  ...{ quantity: '1', reduces: side === 'sell', status: 'filled', cancelWanted: false },
  ...{ exchangeOrderId: leg, filled, attempts: 0, retryAt: null, reason: null },
  fills: [{ tradeId: leg, quantity: filled, price: '100', baseFee: '0', quoteFee: '0', at: new Date(0) }],
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

const booked = (leg: string, side: 'buy' | 'sell', filled: string): VenueLedgerOrder => ({
  ...{ userId: 'user', clientOrderId: `id-of-${leg}`, side, isOpen: false },
  ...{ filled: d(filled), value: d(filled).times(d('100')), baseFees: Decimal.zero },
});

/** Bought 1 and sold 1, and has ended. */
const done = (more: Partial<StoredExecution> = {}): StoredExecution => ({
  ...makeStoredExecution(),
  state: encodeExecution({ ...makeExecution(), lastPrice: d('100'), maxInvested: d('1000') }),
  orders: [order('entry-1', 'buy', '1'), order('close', 'sell', '1')],
  endedAt: new Date(0),
  dueAt: null,
  ...more,
});
const ledger = [booked('entry-1', 'buy', '1'), booked('close', 'sell', '1')];
const found = (execution: StoredExecution, orders: readonly VenueLedgerOrder[]) =>
  judgeExecution(execution, orders).map(({ fault }) => fault);

describe('the judge of the fault campaign', () => {
  it('finds nothing where the books agree', () => {
    assert.deepEqual(found(done(), ledger), []);
  });

  it('finds an order that is on the exchange twice, and the position that it leaves', () => {
    const faults = found(done(), [...ledger, booked('entry-1', 'buy', '1')]);
    assert.deepEqual(faults, ['duplicate order', 'wrong position', 'position left']);
  });

  it('finds an order that Tidemark does not know, and one that the exchange does not have', () => {
    assert.deepEqual(found(done(), [...ledger, booked('entry-2', 'buy', '0')]), ['unknown order']);
    assert.deepEqual(found(done(), [ledger[0]]), ['lost order', 'wrong position', 'position left']);
  });

  it('finds fills that differ, orders left open, too much invested, and executions that have not ended', () => {
    const part = [booked('entry-1', 'buy', '0.5'), booked('close', 'sell', '0.5')];
    assert.deepEqual(found(done(), part), ['wrong fills', 'wrong fills']);
    assert.deepEqual(found(done(), [{ ...ledger[0], isOpen: true }, ledger[1]]), ['order left open']);
    assert.deepEqual(found(done(), [{ ...ledger[0], value: d('1e9') }, ledger[1]]), ['over-invested']);
    assert.deepEqual(found(done({ endedAt: null }), ledger), ['not ended']);
  });
});
