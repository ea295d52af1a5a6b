import assert from 'node:assert/strict';
import fc from 'fast-check';
import { downsample } from '../../../compute/backtest/downsample.js';

const times = (count: number) =>
  Float64Array.from({ length: count }, (_, i) => 1_700_000_000_000 + i * 3_600_000);

const curve = fc
  .array(fc.constantFrom(1, 2, 3, 5, 8, 13.5), { maxLength: 300 })
  .map((values) => Float64Array.from(values));

const holds = (property: (values: Float64Array, most: number) => void) =>
  fc.assert(fc.property(curve, fc.integer({ min: 4, max: 60 }), property), { numRuns: 500, seed: 5 });

describe('downsample', () => {
  it('keeps every point of a curve that is short enough, time in seconds', () => {
    holds((values) => {
      const points = downsample(times(values.length), values, 300);
      const all = Array.from(values, (value, i) => ({ time: 1_700_000_000 + i * 3_600, value }));
      assert.deepEqual(points, all);
    });
  });

  it('keeps no more than asked for, in order, each once, as they are', () => {
    holds((values, most) => {
      const points = downsample(times(values.length), values, most);
      assert.ok(points.length <= most);
      points.forEach(({ time, value }, n) => {
        assert.ok(n === 0 || time > points[n - 1].time);
        assert.equal(value, values[(time - 1_700_000_000) / 3_600]);
      });
    });
  });

  it('keeps first and last, and the lowest and highest of the whole curve', () => {
    holds((values, most) => {
      if (values.length === 0) return;
      const points = downsample(times(values.length), values, most);
      assert.equal(points[0].time, 1_700_000_000);
      assert.equal(points.at(-1)!.time, 1_700_000_000 + (values.length - 1) * 3_600);
      const kept = points.map(({ value }) => value);
      assert.deepEqual([Math.min(...kept), Math.max(...kept)], [Math.min(...values), Math.max(...values)]);
    });
  });

  it('uses its room: a long curve without repeats keeps nearly all it may', () => {
    const values = Float64Array.from({ length: 8_760 }, (_, i) => Math.sin(i * 1.7) + i / 1_000);
    const { length } = downsample(times(8_760), values, 500);
    assert.ok(length > 480 && length <= 500, `${length} points`);
  });
});
