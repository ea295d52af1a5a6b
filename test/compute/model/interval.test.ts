import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  candlesPerYear,
  intervalMs,
  intervals,
  periods,
  periodStart,
  type Period,
} from '../../../compute/model/interval.js';

const start = (end: string, period: Period) => new Date(periodStart(Date.parse(end), period)).toISOString();

describe('intervals', () => {
  it('are hours, four hours and days, and fill a year of 365 days', () => {
    assert.deepEqual(intervals, ['1h', '4h', '1d']);
    assert.deepEqual(intervals.map(intervalMs), [3_600_000, 14_400_000, 86_400_000]);
    assert.deepEqual(intervals.map(candlesPerYear), [8_760, 2_190, 365]);
    for (const interval of intervals)
      assert.equal(intervalMs(interval) * candlesPerYear(interval), 365 * 86_400_000);
  });
});

describe('periodStart', () => {
  const examples: [end: string, period: Period, start: string][] = [
    ['2024-06-15T13:00:00.000Z', '3M', '2024-03-15T13:00:00.000Z'],
    ['2024-02-10T00:00:00.000Z', '3M', '2023-11-10T00:00:00.000Z'],
    ['2024-08-31T00:00:00.000Z', '6M', '2024-02-29T00:00:00.000Z'],
    ['2023-08-31T07:00:00.000Z', '6M', '2023-02-28T07:00:00.000Z'],
    ['2024-05-31T00:00:00.000Z', '3M', '2024-02-29T00:00:00.000Z'],
    ['2023-12-31T00:00:00.000Z', '3M', '2023-09-30T00:00:00.000Z'],
    ['2024-02-29T04:00:00.000Z', '1y', '2023-02-28T04:00:00.000Z'],
    ['2025-02-28T00:00:00.000Z', '1y', '2024-02-28T00:00:00.000Z'],
    ['2024-12-31T23:00:00.000Z', '1y', '2023-12-31T23:00:00.000Z'],
    ['2024-01-01T00:00:00.000Z', '6M', '2023-07-01T00:00:00.000Z'],
    ['2000-02-29T00:00:00.000Z', '1y', '1999-02-28T00:00:00.000Z'],
  ];
  for (const [end, period, expected] of examples)
    it(`goes back ${period} from ${end} to ${expected}`, () => assert.equal(start(end, period), expected));

  it('keeps the time of day and the day, or takes the last day of a month that lacks it', () => {
    const end = fc.integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2099, 11, 31) });
    fc.assert(
      fc.property(end, fc.constantFrom(...periods), (endMs, period) => {
        const months = { '3M': 3, '6M': 6, '1y': 12 }[period];
        const [from, to] = [new Date(periodStart(endMs, period)), new Date(endMs)];
        const between =
          (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
        assert.equal(between, months);
        assert.equal(from.getTime() % 86_400_000, endMs % 86_400_000);
        const nextDay = new Date(from.getTime() + 86_400_000).getUTCDate();
        assert.ok(
          from.getUTCDate() === to.getUTCDate() || (from.getUTCDate() < to.getUTCDate() && nextDay === 1),
        );
      }),
      { numRuns: 1_000, seed: 9 },
    );
  });
});
