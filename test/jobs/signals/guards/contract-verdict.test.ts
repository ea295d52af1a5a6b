import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { Execution } from '../../../../compute/signals/execution.js';
import { contractVerdict } from '../../../../jobs/signals/guards/contract-verdict.js';
import type { VenuePosition } from '../../../../storage/exchanges/trading-venue.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import type { StoredExecution, StoredOrder } from '../../../../storage/signals/stored-execution.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';

/** An execution on FUTURES with an entry order. */
const ordered = (id: string, state: Partial<Execution> = {}, order: Partial<StoredOrder> = {}) =>
  makeStoredExecution({
    id,
    account: 'FUTURES',
    state: encodeExecution({ ...makeExecution({ side: state.side ?? 'long' }), ...state }),
    orders: [{ ...storedOrder, ...order }],
  });
const confirmed = { status: 'open', exchangeOrderId: 'x' } as const;

const verdict = (
  own: StoredExecution,
  others: StoredExecution[],
  positions: VenuePosition[] | null = [],
  isHedged: boolean | null = false,
) => {
  const found = contractVerdict({ own, others, positions, isHedged });
  return typeof found === 'object' ? found.refused : found;
};

describe('one position of a contract and account', () => {
  const long = ordered('b');

  it('has one direction, one leverage and one kind of margin', () => {
    const why = (side: string, leverage: number, margin: string) =>
      `another signal is ${side} on BTC/USDT with a leverage of ${leverage} and ${margin} margin; an account has one direction and one leverage on a pair`;
    assert.equal(verdict(long, [ordered('c', { side: 'short' }, confirmed)]), why('short', 1, 'ISOLATED'));
    assert.equal(verdict(long, [ordered('c', { leverage: 5 }, confirmed)]), why('long', 5, 'ISOLATED'));
    const cross = { ...ordered('c', {}, confirmed), marginMode: 'CROSS' as const };
    assert.equal(verdict(long, [cross]), why('long', 1, 'CROSS'));
    assert.equal(verdict(long, [ordered('c', {}, confirmed)]), 'allowed');
  });

  it('goes to the earlier of two signals that are ordered at once, and ended or waiting ones claim nothing', () => {
    const short = (id: string, order: Partial<StoredOrder> = {}) => ordered(id, { side: 'short' }, order);
    assert.equal(verdict(long, [short('c')]), 'wait');
    assert.match(verdict(long, [short('a')]), /^another signal is short/);
    assert.equal(verdict(long, [short('a', { status: 'cancelled' })]), 'allowed');
    assert.equal(verdict(long, [{ ...short('a'), orders: [] }]), 'allowed');
  });

  it('is left alone where no signal has opened it, and waited for where it cannot be read', () => {
    const held: VenuePosition = {
      ...{ account: 'FUTURES', pair: { base: 'BTC', quote: 'USDT' } },
      ...{ quantity: Decimal.one, entryPrice: Decimal.one, liquidationPrice: null },
    };
    assert.equal(
      verdict(long, [], [held]),
      'you hold a position of BTC/USDT on FUTURES that no signal has opened',
    );
    assert.equal(verdict(long, [ordered('a', {}, confirmed)], [held]), 'allowed');
    assert.equal(verdict(ordered('b', {}, confirmed), [], [held]), 'allowed');
    assert.equal(verdict(long, [], null), 'unread');
  });

  it('has both directions in hedge mode, with one leverage, and a position of the other side is not ours', () => {
    const short = ordered('c', { side: 'short' }, confirmed);
    const held = (quantity: string): VenuePosition => ({
      ...{ account: 'FUTURES', pair: { base: 'BTC', quote: 'USDT' }, isHedged: true },
      ...{ quantity: Decimal.read(quantity), entryPrice: Decimal.one, liquidationPrice: null },
    });
    assert.equal(verdict(long, [short], [held('-1')], true), 'allowed');
    assert.match(verdict(long, [short], [held('-1'), held('1')], true), /no signal has opened/);
    assert.match(
      verdict(long, [ordered('c', { side: 'short', leverage: 5 }, confirmed)], [], true),
      /leverage of 5/,
    );
    assert.equal(verdict(long, [short], [], null), 'unread');
  });
});
