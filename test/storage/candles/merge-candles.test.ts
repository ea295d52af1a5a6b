import assert from 'node:assert/strict';
import { createCandles, type Candles } from '../../../compute/model/candles.js';
import { mergeCandles, noneReplaced } from '../../../storage/candles/merge-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { pickCandles } from './candle-parts.js';

describe('mergeCandles', () => {
  const all = randomCandles(6, { startMs: Date.UTC(2024, 1, 1) });
  const own = (candles: Candles) => ({ candles, derived: new Uint8Array(candles.time.length) });
  const made = (candles: Candles) => ({ candles, derived: new Uint8Array(candles.time.length).fill(1) });
  const unchanged = { stored: 0, alreadyThere: 0, conflicts: [], replaced: noneReplaced(), isChanged: false };

  it('puts both series in order of time', () => {
    const merge = mergeCandles(own(pickCandles(all, [1, 4])), pickCandles(all, [0, 2, 3, 5]));
    assert.deepEqual(merge, { ...unchanged, ...own(all), stored: 4, isChanged: true });
  });

  it('takes all into an empty series and nothing from an empty one', () => {
    const none = createCandles(0);
    assert.deepEqual(mergeCandles(own(none), all), {
      ...{ ...unchanged, ...own(all) },
      ...{ stored: 6, isChanged: true },
    });
    assert.deepEqual(mergeCandles(own(all), none), { ...unchanged, ...own(all) });
  });

  it('keeps the stored candle where the added one differs in any column', () => {
    for (const column of ['open', 'high', 'low', 'close', 'volume'] as const) {
      const other = pickCandles(all, [0, 1, 2, 3, 4, 5]);
      other[column][3] += 1;
      const conflicts = [all.time[3]];
      const expected = { ...unchanged, ...own(all), alreadyThere: 5, conflicts };
      assert.deepEqual(mergeCandles(own(all), other), expected);
    }
  });

  it('lets candles that are made of shorter ones give way, and says by how much they differ', () => {
    const other = pickCandles(all, [0, 1, 2]);
    other.close[1] *= 1.25;
    other.high[1] *= 1.25;
    other.volume[2] *= 2;
    const merge = mergeCandles(made(all), other);
    assert.deepEqual(merge.candles.close.slice(0, 3), other.close);
    assert.deepEqual([...merge.derived], [0, 0, 0, 1, 1, 1]);
    const { mostPricePercent, mostVolumePercent, ...counts } = merge.replaced;
    assert.deepEqual(counts, { count: 3, differing: 2 });
    assert.ok(Math.abs(mostPricePercent - 20) < 1e-9 && Math.abs(mostVolumePercent - 50) < 1e-9);
    assert.deepEqual([merge.stored, merge.alreadyThere, merge.conflicts], [3, 0, []]);
    const again = mergeCandles(merge, other);
    assert.deepEqual([again.alreadyThere, again.isChanged], [3, false]);
  });

  it('makes candles anew that are made of shorter ones, and no others', () => {
    const other = pickCandles(all, [0, 1, 2, 3, 4, 5]);
    other.close[1] += 1;
    const kept = mergeCandles(own(all), other, true);
    assert.deepEqual([kept.isChanged, kept.conflicts], [false, []]);
    const renewed = mergeCandles(made(all), other, true);
    assert.deepEqual(
      [renewed.candles, [...renewed.derived], renewed.replaced.count],
      [other, [1, 1, 1, 1, 1, 1], 0],
    );
    assert.equal(mergeCandles(made(all), all, true).isChanged, false);
  });
});
