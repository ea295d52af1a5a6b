import assert from 'node:assert/strict';
import {
  medianResult,
  trackRecordOf,
  type FollowerFigures,
} from '../../../compute/ledger/track-record-of.js';

const figures = (r: number | null, returnPercent = r, slippage: number | null = 0): FollowerFigures => ({
  r,
  returnPercent,
  entrySlippagePercent: slippage,
});

describe('trackRecordOf', () => {
  it('counts every signal, and tells hits, expectancy, drawdown and slippage of the traded ones', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const signals = ids.map((id) => ({
      id,
      isCancelled: id === 'b' || id === 'f',
      isPast: 'aefg'.includes(id),
    }));
    const outcomes = new Map([
      ['a', figures(2, 10, 0.1)],
      ['b', figures(-1, -5, 0.3)],
      ['c', figures(-1.5, -6, -0.1)],
      ['d', figures(null, 4, null)],
      ['older than the signals', figures(50)],
    ]);
    assert.deepEqual(trackRecordOf(signals, outcomes), {
      signals: 7,
      cancelled: 2,
      // e and g: the time of f is over as well, but it was cancelled.
      expired: 2,
      traded: 4,
      hitRatePercent: 50,
      expectancyR: -0.5 / 3,
      // From 2 down to -0.5.
      maxDrawdownR: 2.5,
      medianSlippagePercent: 0.1,
    });
  });

  it('has no figures without trades', () => {
    assert.deepEqual(trackRecordOf([{ id: 'a', isCancelled: false, isPast: false }], new Map()), {
      ...{ signals: 1, cancelled: 0, expired: 0, traded: 0 },
      ...{ hitRatePercent: null, expectancyR: null, maxDrawdownR: null, medianSlippagePercent: null },
    });
  });

  it('counts a drawdown from the start', () => {
    const signals = [{ id: 'a', isCancelled: false, isPast: false }];
    assert.equal(trackRecordOf(signals, new Map([['a', figures(-1)]])).maxDrawdownR, 1);
  });

  it('takes the median of followers, and leaves those without a figure out', () => {
    assert.deepEqual(
      medianResult([figures(1, 10, 0.5), figures(3, 30, null), figures(null, -20, 0.1), figures(2, 20, 0.2)]),
      { r: 2, returnPercent: 15, entrySlippagePercent: 0.2 },
    );
    assert.deepEqual(medianResult([]), { r: null, returnPercent: null, entrySlippagePercent: null });
  });
});
