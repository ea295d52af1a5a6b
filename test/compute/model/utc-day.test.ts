import assert from 'node:assert/strict';
import fc from 'fast-check';
import { utcDay, utcTime } from '../../../compute/model/utc-day.js';

const byDate = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

describe('utcDay', () => {
  it('agrees with Date on every day from 1970 to 2100, first and last millisecond', () => {
    for (let day = 0; day < Date.UTC(2101, 0, 1); day += 86_400_000)
      for (const timeMs of [day, day + 86_399_999])
        if (utcDay(timeMs) !== byDate(timeMs)) assert.equal(utcDay(timeMs), byDate(timeMs));
  });

  it('agrees with Date at any time, before 1970 too', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1600, 0, 1), max: Date.UTC(9999, 11, 31) }), (timeMs) =>
        assert.equal(utcDay(timeMs), byDate(timeMs)),
      ),
      { numRuns: 2_000, seed: 10 },
    );
  });
});

describe('utcTime', () => {
  it('agrees with Date at any time, before 1970 too', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1600, 0, 1), max: Date.UTC(9999, 11, 31) }), (timeMs) =>
        assert.equal(utcTime(timeMs), new Date(timeMs).toISOString()),
      ),
      { numRuns: 2_000, seed: 10 },
    );
  });

  it('leaves parts of a millisecond out, as Date does', () => {
    for (const timeMs of [0.5, 1_650_031_200_123.75, 999.999])
      assert.equal(utcTime(timeMs), new Date(timeMs).toISOString());
  });
});
