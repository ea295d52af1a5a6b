import assert from 'node:assert/strict';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import type { Execution } from '../../../compute/signals/execution.js';
import type { ExecutionEvent } from '../../../compute/signals/execution-event.js';
import type { OrderName } from '../../../compute/signals/execution.js';
import type { OrderToPlace } from '../../../compute/signals/match-orders.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

const d = (text: string) => Decimal.parse(text);
const bought = () => new ScriptedExchange(makeExecution({}, { stopOnExchange: true })).path('99.5');
const trailing = { type: 'trailing_stop', stop: { trigger: d('95'), limit: d('94') } } as const;
const at = 60_000;

/** Lets events happen one after the other; answers where they lead, and every order that was asked for. */
function happen(execution: Execution, ...events: ExecutionEvent[]) {
  const [place, cancel]: [OrderToPlace[], OrderName[]] = [[], []];
  for (const event of events) {
    const step = advanceExecution(execution, event);
    execution = step.execution;
    place.push(...step.place);
    cancel.push(...step.cancel);
  }
  return { execution, place, cancel };
}

const stopFill = (quantity: string): ExecutionEvent[] => [
  {
    ...{ type: 'fill', leg: 'stop', revision: 1, tradeId: 'late', quantity: d(quantity), price: d('90') },
    ...{ baseFee: Decimal.zero, quoteFee: Decimal.zero, at },
  },
  { type: 'order', leg: 'stop', revision: 1, status: 'filled', filled: d(quantity), at },
];

/** Losses that other programs had (see `test/faults/order-losses.test.ts` for those between an order and its exchange). */
describe('losses seen elsewhere, in the life of an execution', () => {
  it('a level that is crossed again and again buys once', () => {
    const exchange = bought();
    exchange.tell({ type: 'dca', id: 'dca-1', price: d('96'), multiplier: d('1') });
    exchange.path('95.5', '97', '95.5', '97', '95');
    assert.equal(exchange.placed.filter(({ leg }) => leg === 'dca-1').length, 1);
  });

  it('a stop that sells while it is replaced ends the position, and none is made anew', () => {
    const { execution } = bought();
    const replaced = happen(execution, { ...trailing, at });
    assert.deepEqual(
      [
        replaced.cancel,
        replaced.place.map(({ leg, revision, replaces }) => [leg, revision, replaces?.revision]),
      ],
      [[], [['stop', 2, 1]]],
    );
    const refusal = { type: 'order', leg: 'stop', revision: 2, status: 'rejected', filled: d('0') } as const;
    const ended = happen(replaced.execution, ...stopFill('9'), { ...refusal, at });
    assert.deepEqual([ended.execution.status, ended.place], ['closed', []]);
    assert.equal(ended.execution.position.quantity.sign, 0);
  });

  it('a stop that sells a part while it is replaced is made anew for what is left', () => {
    const replaced = happen(bought().execution, { ...trailing, at });
    const [fill] = stopFill('4');
    const end = { type: 'order', leg: 'stop', revision: 1, status: 'cancelled', filled: d('4'), at } as const;
    const { place, execution } = happen(replaced.execution, fill, end);
    assert.equal(place[0].replaces?.revision, 2);
    assert.deepEqual(
      place.map(({ leg, quantity }) => [leg, String(quantity)]),
      [['stop', '5']],
    );
    assert.equal(String(execution.position.quantity), '5');
  });

  it('a price at the stop sells while the old stop is gone and the new one does not stand', () => {
    const refusal = { type: 'order', leg: 'stop', revision: 2, status: 'rejected', filled: d('0') } as const;
    const gone = { type: 'order', leg: 'stop', revision: 1, status: 'cancelled', filled: d('0') } as const;
    const bare = happen(bought().execution, { ...trailing, at }, { ...gone, at }, { ...refusal, at });
    const { place } = happen(bare.execution, { type: 'tick', price: d('94.5'), at: at + 1_000 });
    assert.deepEqual(
      place.map(({ leg, side, quantity }) => [leg, side, String(quantity)]),
      [['close', 'sell', '9']],
    );
  });

  it('a cancel that fails because the order was filled does not keep the rest from being sold', () => {
    const exchange = bought().path('110');
    const asked = happen(exchange.execution, { type: 'cancel', at });
    const left = String(exchange.execution.position.quantity);
    assert.deepEqual([asked.cancel, asked.place.map(({ leg }) => leg)], [[], ['close']]);
    const { revision } = asked.place[0].replaces!;
    const fill = { ...stopFill('2')[0], revision } as ExecutionEvent;
    const end = { type: 'order', leg: 'stop', revision, status: 'cancelled', filled: d('2'), at } as const;
    const refusal = { type: 'order', leg: 'close', revision: 1, status: 'rejected', filled: d('0') } as const;
    const later = { type: 'time', at: at + 1_000 } as const;
    const { place } = happen(asked.execution, { ...refusal, at }, fill, end, later);
    assert.deepEqual(
      place.map(({ leg, quantity }) => [leg, String(quantity.plus(d('2')))]),
      [['close', left]],
    );
  });

  it('no stop is left behind, or made again, after the last target has sold', () => {
    const exchange = bought().path('110', '120', '130');
    assert.deepEqual([exchange.execution.status, exchange.book], ['closed', []]);
    const late = {
      type: 'order',
      leg: 'stop',
      revision: 1,
      status: 'cancelled',
      filled: d('0'),
      at,
    } as const;
    const after = happen(exchange.execution, late, { type: 'tick', price: d('80'), at });
    assert.deepEqual([after.place, after.cancel, after.execution.status], [[], [], 'closed']);
  });
});
