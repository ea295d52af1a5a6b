import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findPendingSwings, findSwings, lastMajorLeg, type Swing } from '../../../compute/market/swings.js';
import { randomCandles } from '../../support/candles/random-candles.js';

interface Ranges {
  high: Float64Array;
  low: Float64Array;
}

const column = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });
const ranges = fc.tuple(column, column).map(([body, reach]) => ({
  high: Float64Array.from(body, (price, i) => 10 + price + (reach[i] ?? 0)),
  low: Float64Array.from(body, (price, i) => 10 + price - (reach[i] ?? 0)),
}));
const upTo = ({ high, low }: Ranges, count: number) => ({
  high: high.subarray(0, count),
  low: low.subarray(0, count),
});

/** The definition, word for word, with whole neighbourhoods. */
function naiveSwings({ high, low }: Ranges, reach: number): Swing[] {
  const swings: Swing[] = [];
  for (let index = reach; index + reach < high.length; index++) {
    const before = (line: Float64Array) => [...line.slice(index - reach, index)];
    const after = (line: Float64Array) => [...line.slice(index + 1, index + reach + 1)];
    const [top, bottom] = [high[index], low[index]];
    if (top > Math.max(...before(high)) && top >= Math.max(...after(high)))
      swings.push({ kind: 'high', index, price: top });
    if (bottom < Math.min(...before(low)) && bottom <= Math.min(...after(low)))
      swings.push({ kind: 'low', index, price: bottom });
  }
  return swings;
}

const reach = fc.integer({ min: 1, max: 5 });

describe('findSwings', () => {
  it('finds what the definition says', () => {
    fc.assert(
      fc.property(ranges, reach, (candles, reach) =>
        assert.deepEqual(findSwings(candles, reach), naiveSwings(candles, reach)),
      ),
    );
    const candles = randomCandles(2000);
    assert.ok(findSwings(candles, 5).length > 100);
    assert.deepEqual(findSwings(candles, 5), naiveSwings(candles, 5));
  });

  it('knows a swing once its last neighbour has closed, and never takes it back', () => {
    fc.assert(
      fc.property(ranges, reach, fc.nat({ max: 40 }), (candles, reach, count) => {
        const length = Math.min(count, candles.high.length);
        const later = findSwings(candles, reach).filter(({ index }) => index + reach < length);
        assert.deepEqual(findSwings(upTo(candles, length), reach), later);
      }),
    );
  });

  it('says of a swing beforehand that it may come', () => {
    fc.assert(
      fc.property(ranges, reach, fc.nat({ max: 4 }), (candles, reach, ahead) => {
        const pending = (count: number) => findPendingSwings(upTo(candles, count), reach);
        for (const swing of findSwings(candles, reach)) {
          const found = pending(swing.index + 1 + Math.min(ahead, reach - 1));
          assert.ok(found.some((each) => each.kind === swing.kind && each.index === swing.index));
        }
        for (const kind of ['high', 'low'])
          assert.ok(pending(candles.high.length).filter((each) => each.kind === kind).length <= 1);
      }),
    );
  });

  it('leaves out what lies before the given candle', () => {
    const candles = randomCandles(300);
    const wanted = findSwings(candles, 4).filter(({ index }) => index >= 100);
    assert.deepEqual(findSwings(candles, 4, 100), wanted);
  });

  it('turns highs into lows when prices are turned over', () => {
    fc.assert(
      fc.property(ranges, reach, ({ high, low }, reach) => {
        const turned = { high: low.map((price) => 30 - price), low: high.map((price) => 30 - price) };
        const back = findSwings(turned, reach).map(({ kind, index, price }) => ({
          ...{ kind: kind === 'high' ? 'low' : 'high', index, price: 30 - price },
        }));
        const order = (a: { index: number; kind: string }, b: { index: number; kind: string }) =>
          a.index - b.index || a.kind.localeCompare(b.kind);
        assert.deepEqual(back.sort(order), findSwings({ high, low }, reach).sort(order));
      }),
    );
  });
});

describe('lastMajorLeg', () => {
  const swing = (kind: Swing['kind'], price: number, index = 0): Swing => ({ kind, index, price });

  it('joins the last two ends that are far enough apart, each as far as price went', () => {
    const swings = [
      swing('low', 10),
      swing('high', 20),
      swing('low', 18),
      swing('high', 25),
      swing('low', 15),
      swing('high', 17),
      swing('low', 12),
    ];
    assert.deepEqual(lastMajorLeg(swings, 5), { from: swings[3], to: swings[6] });
    assert.deepEqual(lastMajorLeg(swings.slice(0, 4), 5), { from: swings[0], to: swings[3] });
    assert.deepEqual(lastMajorLeg(swings, 2), { from: swings[5], to: swings[6] });
  });

  it('is none without two such ends, and none between a high and a higher low', () => {
    assert.equal(lastMajorLeg([], 1), null);
    assert.equal(lastMajorLeg([swing('low', 10), swing('high', 12)], 5), null);
    assert.equal(lastMajorLeg([swing('high', 10), swing('low', 20)], 5), null);
  });
});
