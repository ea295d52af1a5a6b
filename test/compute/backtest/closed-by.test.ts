import assert from 'node:assert/strict';
import { closedBy } from '../../../compute/backtest/monte-carlo.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const candles = randomCandles(48, { startMs: Date.UTC(2026, 0, 1) });
const countBy = (until: string | null) =>
  closedBy(candles, '1h', until === null ? null : Date.parse(until)).time.length;

describe('closedBy', () => {
  it('keeps the candles whose close is not after the time, and all of them without one', () => {
    assert.equal(countBy('2026-01-01T05:00:00.000Z'), 5);
    assert.equal(countBy('2026-01-01T05:59:59.999Z'), 5);
    assert.equal(countBy('2025-12-31T00:00:00.000Z'), 0);
    assert.equal(countBy('2027-01-01T00:00:00.000Z'), 48);
    assert.equal(countBy(null), 48);
  });
});
