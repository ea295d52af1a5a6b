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
    const exchange = new ScriptedExchange(
      makeExecution({ entries: [{ ...split[0], zoneEnd: d('99'), percent: d('100') }] }),
      {
        fillShare: d('0.000001'),
      },
    );
    exchange.tick('99.9');
    assert.equal(exchange.book.length, 1);
    exchange.tell({ type: 'refuse_entry', leg: 'entry-1', cause });
    assert.deepEqual(exchange.book, []);
    const { status } = exchange.execution;
    // What the tick has filled of it is sold.
    assert.equal(status === 'open' || status === 'closing' || status === 'closed', true);
    assert.ok(exchange.notes.some((note) => note.type === 'entry_refused' && note.cause === cause));
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
