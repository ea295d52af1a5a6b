import assert from 'node:assert/strict';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import type { Execution } from '../../../compute/signals/execution.js';
import type { ExecutionEvent } from '../../../compute/signals/execution-event.js';
import { nextWakeAt } from '../../../compute/signals/next-wake-at.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

const d = (text: string) => Decimal.parse(text);
const at = 60_000;

/** The execution after the events. */
const after = (execution: Execution, ...events: ExecutionEvent[]): Execution =>
  events.reduce((now, event) => advanceExecution(now, event).execution, execution);

const tick = (price: string, low = price): ExecutionEvent => ({
  ...{ type: 'tick', price: d(price), high: d(price), low: d(low), at },
});
const ended = (leg: string, status: 'rejected' | 'expired' | 'cancelled', revision = 1): ExecutionEvent => ({
  ...{ type: 'order', leg, revision, status, filled: Decimal.zero, at },
});

describe('nextWakeAt', () => {
  it('names the time at which a refused order is placed again, and none while it stands', () => {
    const refused = after(makeExecution(), tick('102', '99.9'), ended('entry-1', 'expired'));
    assert.equal(nextWakeAt(refused), at + 1_000);
    const again = advanceExecution(refused, { type: 'time', at: at + 1_000 });
    assert.deepEqual(
      again.place.map(({ leg, revision }) => [leg, revision]),
      [['entry-1', 2]],
    );
    assert.equal(nextWakeAt(again.execution), null);
  });

  it('is null for an execution that has ended because its entry was refused', () => {
    const rejected = after(makeExecution(), tick('102', '99.9'), ended('entry-1', 'rejected'));
    assert.deepEqual([rejected.status, nextWakeAt(rejected)], ['rejected', null]);
  });

  it('is null for an open position of which an entry was refused for good', () => {
    const entries = ['100', '95'].map((price) => ({
      ...{ type: 'limit' as const, price: d(price), zoneEnd: null, percent: d('50') },
    }));
    const { execution } = new ScriptedExchange(makeExecution({ entries })).path('99.5');
    const open = after(execution, tick('96', '95'), ended('entry-2', 'rejected'));
    assert.deepEqual([open.status, open.entries[1].state, nextWakeAt(open)], ['open', 'withdrawn', null]);
  });

  it('names the end of the time for the stop order to sell, until another order takes its place', () => {
    const { execution } = new ScriptedExchange(makeExecution({}, { stopOnExchange: true })).path('99.5');
    const closing = after(execution, tick('90'));
    assert.deepEqual([closing.status, nextWakeAt(closing)], ['closing', at + 3_000]);
    const late = advanceExecution(closing, { type: 'time', at: at + 3_000 });
    assert.deepEqual(
      [late.place.map(({ leg, replaces }) => [leg, replaces?.leg]), late.cancel, nextWakeAt(late.execution)],
      [[['close', 'stop']], [], null],
    );
    // The stop stands again, and the next try is not before its time.
    const refused = advanceExecution(late.execution, { ...ended('close', 'rejected'), at: at + 3_000 });
    assert.deepEqual([refused.cancel, nextWakeAt(refused.execution)], [[], at + 4_000]);
  });
});
