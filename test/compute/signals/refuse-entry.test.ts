import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

const d = (text: string) => Decimal.parse(text);
const split = ['100', '95'].map((price) => ({
  type: 'limit' as const,
  price: d(price),
  zoneEnd: null,
  percent: d('50'),
}));

describe('an entry that a limit of the subscriber refuses', () => {
  const cause = 'too much was lost today';

  it('is withdrawn, and skips an execution without another entry', () => {
    const execution = makeExecution({ entries: [{ ...split[0], percent: d('100') }] });
    const exchange = new ScriptedExchange(execution, { isLate: true });
    exchange.tell({ type: 'tick', price: d('101'), high: d('101'), low: d('99') });
    assert.equal(exchange.book.length, 1);
    exchange.tell({ type: 'refuse_entry', leg: 'entry-1', cause });
    assert.deepEqual(exchange.book, []);
    exchange.tick('101');
    const { status, entries } = exchange.execution;
    assert.deepEqual([status, entries[0].state, String(exchange.held)], ['skipped', 'withdrawn', '0']);
    assert.deepEqual(exchange.notes.map(({ type, cause: why }) => [type, why]).slice(-3), [
      ['entry_refused', cause],
      ['closing', cause],
      ['skipped', cause],
    ]);
  });

  it('leaves what was bought before under the targets and the stop', () => {
    const execution = makeExecution({ entries: [{ ...split[0], percent: d('100') }] });
    const exchange = new ScriptedExchange(execution, { fillShare: d('0.5') }).path('99.9');
    assert.equal(String(exchange.held), '4.5');
    exchange.tell({ type: 'refuse_entry', leg: 'entry-1', cause });
    assert.deepEqual([exchange.book, exchange.execution.status], [[], 'open']);
    exchange.path('89', '89');
    assert.deepEqual([exchange.execution.status, String(exchange.held)], ['closed', '0']);
  });

  it('leaves the other entries', () => {
    const exchange = new ScriptedExchange(makeExecution({ entries: split }), { isLate: true });
    exchange.tick('99');
    exchange.tell({ type: 'refuse_entry', leg: 'entry-1', cause });
    assert.deepEqual(
      exchange.execution.entries.map(({ state }) => state),
      ['withdrawn', 'waiting'],
    );
    assert.notEqual(exchange.execution.status, 'skipped');
  });

  it('changes nothing of a leg that is not armed or not known', () => {
    const execution = makeExecution();
    const exchange = new ScriptedExchange(execution);
    exchange.tell({ type: 'refuse_entry', leg: 'entry-1', cause });
    exchange.tell({ type: 'refuse_entry', leg: 'entry-9', cause });
    assert.deepEqual(exchange.execution, execution);
  });
});
