import assert from 'node:assert/strict';
import { buySchedule, type BuyRhythm } from '../../../compute/market/recurring-buy.js';

const scheduled = (from: string, to: string, every: BuyRhythm) =>
  buySchedule(Date.parse(from), Date.parse(to), every).map((moment) =>
    new Date(moment).toISOString().slice(0, 16),
  );

describe('buySchedule', () => {
  it('starts at once, and ends before the end', () => {
    assert.deepEqual(scheduled('2024-02-28T07:00Z', '2024-03-02T07:00Z', 'day'), [
      '2024-02-28T07:00',
      '2024-02-29T07:00',
      '2024-03-01T07:00',
    ]);
    assert.deepEqual(scheduled('2024-02-28T07:00Z', '2024-03-13T08:00Z', 'week'), [
      '2024-02-28T07:00',
      '2024-03-06T07:00',
      '2024-03-13T07:00',
    ]);
    assert.deepEqual(scheduled('2024-02-28T07:00Z', '2024-02-28T07:00Z', 'week'), []);
  });

  it('keeps the day of the month, or takes its last', () => {
    assert.deepEqual(scheduled('2023-11-30T23:00Z', '2024-04-30T23:00Z', 'month'), [
      '2023-11-30T23:00',
      '2023-12-30T23:00',
      '2024-01-30T23:00',
      '2024-02-29T23:00',
      '2024-03-30T23:00',
    ]);
    assert.deepEqual(scheduled('2023-12-31T00:00Z', '2024-04-01T00:00Z', 'month'), [
      '2023-12-31T00:00',
      '2024-01-31T00:00',
      '2024-02-29T00:00',
      '2024-03-31T00:00',
    ]);
  });
});
