import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { Execution } from '../../../../compute/signals/execution.js';
import { reservedByOthers, riskClaim, valueClaim } from '../../../../jobs/signals/guards/claims-of.js';
import { entryVerdict } from '../../../../jobs/signals/guards/entry-verdict.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import type { StoredExecution, StoredOrder } from '../../../../storage/signals/stored-execution.js';
import { defaultSettings } from '../../../../storage/signals/subscription.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';

const d = (text: string) => Decimal.parse(text);

/** An execution with an order for 10 at 100, which has a stop at 90. */
const ordered = (id: string, state: Partial<Execution> = {}, order: Partial<StoredOrder> = {}) =>
  makeStoredExecution({
    id,
    state: encodeExecution({ ...makeExecution({ side: state.side ?? 'long' }), ...state }),
    orders: [{ ...storedOrder, quantity: '10', ...order }],
  });
const risk = (execution: StoredExecution) => {
  const { certain, asked } = riskClaim(execution);
  return [certain.toString(), asked.toString()];
};
const stopAt = (price: string) => ({ trigger: d(price), limit: null, trailing: null });

describe('what an execution may lose', () => {
  it('is the way to its stop, a fifth of what is invested at least, and all of it without a stop', () => {
    assert.deepEqual(risk(ordered('a', { stop: stopAt('70') })), ['0', '300']);
    assert.deepEqual(risk(ordered('a', { stop: stopAt('99') })), ['0', '200']);
    assert.deepEqual(risk(ordered('a', { stop: null })), ['0', '1000']);
    assert.deepEqual(risk(ordered('a', { stop: null }, { status: 'open' })), ['1000', '0']);
    assert.deepEqual(risk(ordered('a', { side: 'short', stop: stopAt('130') }, { side: 'sell' })), [
      '0',
      '300',
    ]);
  });

  it('is the margin of an isolated position at most, and the value of one that the account backs', () => {
    const position = ordered('a', { stop: null, leverage: 5 });
    assert.deepEqual(risk(position), ['0', '200']);
    assert.deepEqual(risk({ ...position, marginMode: 'CROSS' }), ['0', '1000']);
    assert.deepEqual(risk(ordered('a', { stop: stopAt('99'), leverage: 5 })), ['0', '40']);
  });

  it('is nothing at a stop beyond the entry', () => {
    assert.deepEqual(risk(ordered('a', { stop: stopAt('101') })), ['0', '0']);
  });
});

describe('one balance', () => {
  const verdict = (own: StoredExecution, others: StoredExecution[], free: string) =>
    entryVerdict({
      executionId: own.id,
      subscription: { ...defaultSettings, investPercent: '100', maxTotalExposure: null, maxDailyLoss: null },
      counts: [],
      values: [own, ...others].map(valueClaim),
      risks: [],
      free: d(free),
      reserved: reservedByOthers([own, ...others], own.id),
      lost: Decimal.zero,
      quote: 'USDT',
    });

  it('is not spent by two executions: the later one waits until the earlier one is in it', () => {
    const [one, two] = [ordered('a'), ordered('b')];
    assert.equal(
      verdict(one, [{ ...two, orders: [{ ...two.orders[0], status: 'planned' }] }], '1500'),
      'allowed',
    );
    assert.equal(verdict(two, [one], '1500'), 'wait');
    assert.equal(verdict(two, [one], '2000'), 'allowed');
    assert.equal(verdict(two, [ordered('a', {}, { status: 'open' })], '1000'), 'allowed');
  });

  it('counts what an order in doubt may have taken from it as still there', () => {
    const own = ordered('a', { stop: null }, { quantity: '5' });
    const scene = {
      executionId: own.id,
      subscription: { ...defaultSettings, investPercent: '5', maxDailyLoss: '5' },
      ...{ counts: [], values: [valueClaim(own)], risks: [riskClaim(own)] },
      ...{ free: d('9500'), lost: Decimal.zero, quote: 'USDT' },
    };
    assert.equal(entryVerdict({ ...scene, reserved: null }), 'allowed');
    assert.equal(typeof entryVerdict({ ...scene, reserved: Decimal.zero }), 'object');
  });

  it('waits for a later order that may have been sent already', () => {
    assert.equal(verdict(ordered('a'), [ordered('b')], '1500'), 'wait');
  });

  it('refuses an order that it does not cover', () => {
    assert.deepEqual(verdict(ordered('a'), [], '999'), {
      refused: 'the order needs 1000 USDT, and 999 USDT are free',
    });
  });
});
