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

const results = (outcomes: readonly (readonly [string, FollowerFigures])[] = [], followers = 0) => ({
  ...{ followers, outcomes: new Map(outcomes) },
});

const nothing = {
  ...{ followers: 0, traded: 0, hitRatePercent: null, expectancyR: null, maxDrawdownR: null },
  medianSlippagePercent: null,
};

describe('trackRecordOf', () => {
  it('counts every signal, and tells hits, expectancy, drawdown and slippage of the traded ones', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const signals = ids.map((id) => ({
      id,
      isCancelled: id === 'b' || id === 'f',
      isPast: 'aefg'.includes(id),
    }));
    const live = [
      ['a', figures(2, 10, 0.1)],
      ['b', figures(-1, -5, 0.3)],
      ['c', figures(-1.5, -6, -0.1)],
      ['d', figures(null, 4, null)],
      ['older than the signals', figures(50)],
    ] as const;
    assert.deepEqual(trackRecordOf(signals, results(live, 9), results()), {
      signals: 7,
      cancelled: 2,
      // e and g: the time of f is over as well, but it was cancelled.
      expired: 2,
      followers: 9,
      traded: 4,
      hitRatePercent: 50,
      expectancyR: -0.5 / 3,
      // From 2 down to -0.5.
      maxDrawdownR: 2.5,
      medianSlippagePercent: 0.1,
      paper: nothing,
    });
  });

  it('has no figures without trades', () => {
    const signals = [{ id: 'a', isCancelled: false, isPast: false }];
    assert.deepEqual(trackRecordOf(signals, results(), results()), {
      ...{ signals: 1, cancelled: 0, expired: 0, ...nothing, paper: nothing },
    });
  });

  it('keeps what was earned on paper apart from what was earned with money', () => {
    const signals = ['a', 'b', 'c'].map((id) => ({ id, isCancelled: false, isPast: true }));
    const record = trackRecordOf(
      signals,
      results([['a', figures(-1)]], 2),
      results(
        [
          ['a', figures(3)],
          ['b', figures(5)],
        ],
        40,
      ),
    );
    const { paper, ...live } = record;
    assert.deepEqual([live.followers, live.traded, live.expectancyR, live.hitRatePercent], [2, 1, -1, 0]);
    assert.deepEqual([paper.followers, paper.traded, paper.expectancyR], [40, 2, 4]);
    assert.equal(record.expired, 1);
  });

  it('counts a drawdown from the start', () => {
    const signals = [{ id: 'a', isCancelled: false, isPast: false }];
    assert.equal(trackRecordOf(signals, results([['a', figures(-1)]]), results()).maxDrawdownR, 1);
  });

  it('takes the median of followers, and leaves those without a figure out', () => {
    assert.deepEqual(
      medianResult([figures(1, 10, 0.5), figures(3, 30, null), figures(null, -20, 0.1), figures(2, 20, 0.2)]),
      { r: 2, returnPercent: 15, entrySlippagePercent: 0.2 },
    );
    assert.deepEqual(medianResult([]), { r: null, returnPercent: null, entrySlippagePercent: null });
  });
});
