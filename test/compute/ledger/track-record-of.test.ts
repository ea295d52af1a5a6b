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
  deliverySlippagePercent: slippage === null ? null : slippage * 2,
});
const opened = (r: number) => ({ ...figures(r), isOpen: true });
const noReference = { outcomes: [], unpriced: 0 };

const results = (outcomes: readonly (readonly [string, FollowerFigures])[] = [], followers = 0) => ({
  followers,
  outcomes: new Map(outcomes.map(([id, outcome]) => [id, { isOpen: false, ...outcome }])),
});

const fewFound = (found: number) => ({
  ...{ low: null, high: null, reason: `an interval needs 20 traded signals with a stop, found ${found}` },
});

const noResults = {
  expectancyInterval: fewFound(0),
  ...{ traded: 0, openLosers: 0, hitRatePercent: null, expectancyR: null, maxDrawdownR: null },
};
const nothing = {
  ...{ followers: 0, ...noResults, medianSlippagePercent: null, medianDeliverySlippagePercent: null },
};
const reference = { ...noResults, unpriced: 0 };

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
    assert.deepEqual(trackRecordOf(signals, results(live, 9), results(), noReference), {
      signals: 7,
      cancelled: 2,
      // e and g: the time of f is over as well, but it was cancelled.
      expired: 2,
      followers: 9,
      traded: 4,
      openLosers: 0,
      hitRatePercent: 50,
      expectancyR: -0.5 / 3,
      expectancyInterval: fewFound(3),
      // From 2 down to -0.5.
      maxDrawdownR: 2.5,
      medianSlippagePercent: 0.1,
      medianDeliverySlippagePercent: 0.2,
      paper: nothing,
      reference,
    });
  });

  it('has no figures without trades', () => {
    const signals = [{ id: 'a', isCancelled: false, isPast: false }];
    assert.deepEqual(trackRecordOf(signals, results(), results(), noReference), {
      ...{ signals: 1, cancelled: 0, expired: 0, ...nothing, paper: nothing, reference },
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
      noReference,
    );
    const { paper, ...live } = record;
    assert.deepEqual([live.followers, live.traded, live.expectancyR, live.hitRatePercent], [2, 1, -1, 0]);
    assert.deepEqual([paper.followers, paper.traded, paper.expectancyR], [40, 2, 4]);
    assert.equal(record.expired, 1);
  });

  it('has an interval for the expectancy from 20 signals with a stop on, which leans to the long gains', () => {
    // 15 losses of 1 R and five gains: the mean is 0.25 R, and luck may have made all of it.
    const rs = [...Array.from({ length: 15 }, () => -1), 1, 2, 3, 4, 10];
    const recordOf = (multiples: readonly (number | null)[]) => {
      const traded = multiples.map((r, n) => [`signal ${n}`, figures(r)] as const);
      const signals = traded.map(([id]) => ({ id, isCancelled: false, isPast: false }));
      return trackRecordOf(signals, results(traded), results(), noReference).expectancyInterval;
    };
    const { low, high, reason } = recordOf(rs);
    assert.equal(reason, null);
    assert.ok(low! < 0 && high! > 0.25 && high! - 0.25 > 0.25 - low!, `${low} to ${high}`);
    assert.deepEqual(recordOf([...rs.slice(1), null]), fewFound(19));
  });

  it('counts losses that are still open, and says how many, also by market prices alone', () => {
    const signals = ['a', 'b'].map((id) => ({ id, isCancelled: false, isPast: false }));
    const outcomes = new Map([
      ['a', { ...figures(2), isOpen: false }],
      ['b', opened(-3)],
    ]);
    const byMarket = { outcomes: [opened(-4)], unpriced: 5 };
    const record = trackRecordOf(signals, { followers: 1, outcomes }, results(), byMarket);
    assert.deepEqual([record.traded, record.openLosers, record.expectancyR], [2, 1, -0.5]);
    assert.deepEqual(record.reference, {
      ...{ traded: 1, openLosers: 1, hitRatePercent: 0, expectancyR: -4, maxDrawdownR: 4, unpriced: 5 },
      expectancyInterval: fewFound(1),
    });
  });

  it('counts a drawdown from the start', () => {
    const signals = [{ id: 'a', isCancelled: false, isPast: false }];
    const { maxDrawdownR } = trackRecordOf(signals, results([['a', figures(-1)]]), results(), noReference);
    assert.equal(maxDrawdownR, 1);
  });

  it('takes the median of followers, and leaves those without a figure out', () => {
    assert.deepEqual(
      medianResult([figures(1, 10, 0.5), figures(3, 30, null), figures(null, -20, 0.1), figures(2, 20, 0.2)]),
      { r: 2, returnPercent: 15, entrySlippagePercent: 0.2, deliverySlippagePercent: 0.4 },
    );
    assert.deepEqual(medianResult([]), {
      ...{ r: null, returnPercent: null, entrySlippagePercent: null, deliverySlippagePercent: null },
    });
  });
});
