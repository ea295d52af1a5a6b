import assert from 'node:assert/strict';
import fc from 'fast-check';
import { flipIndexes } from '../../../compute/core-line/core-line-tasks.js';
import { flipPrice } from '../../../compute/core-line/flip-price.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { candleColumns, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { stateCode, stateName, type FlipPrice, type NextClose } from '../../../compute/model/core-line.js';
import type { Interval } from '../../../compute/model/interval.js';
import { createRandom } from '../../../compute/model/random.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles, demoSeries } from '../../support/candles/demo-candles.js';
import { withNextCandle } from '../../support/candles/next-candle.js';
import { copyOf, flatCandles, frozenCandles, spikedCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { describeWithSharedData, sharedCandles, sharedSeries } from '../../support/candles/shared-data.js';

/** The double next to a positive one, on the side of `towards`. */
function adjoiningDouble(value: number, towards: number): number {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] += towards > value ? 1n : -1n;
  return new Float64Array(bits.buffer)[0];
}

const flipPriceOf = (candles: Candles) => flipPrice(candles, computeCoreLine(candles));

/** The state of the candle that follows and closes at `close`: the whole series is computed anew. */
const stateAt = (candles: Candles, close: number) =>
  stateName(computeCoreLine(withNextCandle(candles, close)).state.at(-1)!)!;

/** The side that candle agrees with. */
const sideAt = (candles: Candles, close: number) => lastSide(withNextCandle(candles, close));

/** The side the last candle agrees with, by the words of the specification. */
function lastSide(candles: Candles): number {
  const { line, atr, pdi, mdi } = computeCoreLine(candles);
  const i = line.length - 1;
  const close = candles.close[i];
  if (close > line[i] + 0.5 * atr[i] && line[i] > line[i - 3] && pdi[i] > mdi[i]) return 1;
  if (close < line[i] - 0.5 * atr[i] && line[i] < line[i - 3] && mdi[i] > pdi[i]) return -1;
  return 0;
}

/** Everything that can be asked of a next candle, and the nearest close that answers it. */
function questionsOf(candles: Candles, { stays, targets }: FlipPrice) {
  const now = stateName(computeCoreLine(candles).state.at(-1)!)!;
  const states = [{ to: now, nearest: stays }, ...targets].map(({ to, nearest }) => ({
    what: `state ${to}`,
    nearest,
    holds: (close: number) => stateAt(candles, close) === to,
  }));
  const sides = targets.flatMap(({ to, agreeing }) =>
    to === 'wait'
      ? []
      : [
          {
            what: `agreement with ${to}`,
            nearest: agreeing,
            holds: (close: number) => sideAt(candles, close) === stateCode[to],
          },
        ],
  );
  return [...states, ...sides];
}

/** Closes between the last one and the nearest answer, or in all the range where there is none. */
function nearerCloses(last: number, nearest: NextClose | null, unit: () => number): number[] {
  const reach = nearest ? Math.abs(nearest.close - last) : Infinity;
  return Array.from({ length: 12 }, () => {
    // Even over what is near, and over the logarithm of what is far.
    const distance = reach < Infinity ? reach * unit() * (1 - 1e-9) : last * 9 * 10 ** (-5 * unit());
    const close = last + (unit() < 0.5 ? -distance : distance);
    return Math.max(close, last / 1_000);
  }).filter((close) => Math.abs(close - last) < reach);
}

function assertFlipPrice(candles: Candles, unit: () => number): FlipPrice {
  const found = flipPriceOf(candles)!;
  const last = candles.close.at(-1)!;
  const atr = computeCoreLine(candles).atr.at(-1)!;
  assert.equal(found.unmoved, stateAt(candles, last));
  for (const { what, nearest, holds } of questionsOf(candles, found)) {
    if (nearest) {
      assert.ok(holds(nearest.close), `${what} at ${nearest.close}`);
      assertClose(1 + nearest.percent / 100, nearest.close / last, `${what}: percent`);
      assertClose(nearest.atr, (nearest.close - last) / atr, `${what}: ATR`);
    }
    for (const limit of nearest ? [nearest.lowest, nearest.highest] : []) {
      if (limit === null || limit === nearest!.close) continue;
      assert.ok(!holds(limit), `${what} at its limit ${limit}`);
      assert.ok(holds(adjoiningDouble(limit, nearest!.close)), `${what}, short of its limit ${limit}`);
    }
    if (nearest && nearest.close !== last)
      assert.ok(!holds(adjoiningDouble(nearest.close, last)), `${what}, short of ${nearest.close}`);
    if (nearest?.close !== last)
      for (const close of nearerCloses(last, nearest, unit))
        assert.ok(!holds(close), `${what} at ${close}, nearer than ${nearest?.close}`);
  }
  return found;
}

/** Checks that many series cut from the given one at random, none longer than 500 candles. */
function assertCuts(candles: Candles, cuts: number, seed: number): FlipPrice[] {
  const { unit, uint32 } = createRandom(seed);
  const below = (limit: number) => uint32() % limit;
  return Array.from({ length: cuts }, () => {
    const count = Math.min(61 + below(440), candles.time.length);
    const from = below(candles.time.length - count + 1);
    return assertFlipPrice(sliceCandles(candles, from, from + count), unit);
  });
}

describe('flipPrice', () => {
  for (const [n, { pair, interval }] of demoSeries.entries())
    it(`is where the state of the next candle turns, and not nearer: ${interval} candles of ${pair}`, () => {
      assertCuts(demoCandles(pair, interval), 25, n);
    });

  it('is so at prices of 1e-8, 1 and 1e8', () => {
    for (const price of [1e-8, 1, 1e8]) assertCuts(randomCandles(3_000, { seed: 8, price }), 25, 9);
  });

  it('knows targets of every kind: near and far, at the last close itself, and out of reach', () => {
    const kinds = new Set<string>();
    const candles = demoCandles('BTC_USDT', '1h');
    const { unit } = createRandom(10);
    // Just before a turn there is most to find.
    for (const at of flipIndexes(computeCoreLine(candles).state).slice(20, 320))
      for (const { to, nearest, candlesNeeded } of assertFlipPrice(sliceCandles(candles, at - 250, at), unit)
        .targets) {
        const reach = nearest === null ? 'none' : nearest.atr === 0 ? 'here' : 'away';
        kinds.add(`${to}, ${reach}, ${candlesNeeded}`);
      }
    for (const kind of [
      ...['accumulate, none, 2', 'accumulate, away, 1', 'accumulate, here, 1'],
      ...['distribute, none, 2', 'distribute, away, 1', 'distribute, here, 1'],
      ...['wait, here, 1', 'wait, away, 1'],
    ])
      assert.ok(kinds.has(kind), `no ${kind} among ${[...kinds].join('; ')}`);
    // A turn that takes two candles is never in reach of one.
    assert.deepEqual(
      [...kinds].filter((kind) => kind.endsWith('2') && !kind.includes('none')),
      [],
    );
  });

  it('is the nearer one where closes above and below turn the state the same way', () => {
    // Strength has all but faded, and a candle either way would take the rest of it.
    const { unit } = createRandom(13);
    const cut = (interval: Interval, to: number) =>
      sliceCandles(demoCandles('BTC_USDT', interval), to - 250, to);
    for (const [candles, side, otherAtr] of [
      [cut('4h', 2_482), -1, 0.55],
      [cut('1h', 510), 1, 1.6],
    ] as const) {
      const last = candles.close.at(-1)!;
      const { nearest } = assertFlipPrice(candles, unit).targets.find(({ to }) => to === 'wait')!;
      assert.ok(side * nearest!.atr! > 0 && side * nearest!.atr! < otherAtr);
      const other = last - side * otherAtr * computeCoreLine(candles).atr.at(-1)!;
      assert.equal(stateAt(candles, other), 'wait');
    }
  });

  it('is not there before the first state, and is from there on', () => {
    const candles = randomCandles(62, { seed: 11 });
    for (const count of [0, 1, 15, 60]) assert.equal(flipPriceOf(sliceCandles(candles, 0, count)), null);
    for (const count of [61, 62]) assertFlipPrice(sliceCandles(candles, 0, count), createRandom(1).unit);
  });

  it('names the two other states, and how many candles they take at least', () => {
    const candles = demoCandles('BTC_USDT', '4h');
    const { state } = computeCoreLine(candles);
    for (let count = 61; count < 1_000; count += 31) {
      const part = sliceCandles(candles, 0, count);
      const { targets } = flipPriceOf(part)!;
      const side = lastSide(part);
      const now = stateName(state[count - 1]);
      const others = ['accumulate', 'wait', 'distribute'].filter((name) => name !== now);
      assert.deepEqual(
        targets.map(({ to }) => to),
        others,
      );
      for (const { to, candlesNeeded, agreeing } of targets) {
        if (to === 'wait') assert.deepEqual([candlesNeeded, agreeing], [1, null]);
        else assert.equal(candlesNeeded, side === stateCode[to] ? 1 : 2);
      }
    }
  });

  it('holds where price has stopped moving or has leapt', () => {
    const { unit } = createRandom(12);
    for (const count of [90, 300, 1_000]) assertFlipPrice(frozenCandles(count, 80), unit);
    for (const count of [80, 200]) assertFlipPrice(spikedCandles(count, 70), unit);
  });

  it('has no distance in ATR where price has never moved', () => {
    const { unmoved, stays, targets } = flipPriceOf(flatCandles(200))!;
    assert.equal(unmoved, 'wait');
    assert.deepEqual([stays!.close, stays!.percent, stays!.atr], [100, 0, null]);
    for (const { nearest, candlesNeeded, agreeing } of targets) {
      assert.deepEqual([nearest, candlesNeeded], [null, 2]);
      assert.deepEqual([typeof agreeing?.close, agreeing?.atr], ['number', null]);
    }
  });

  it('has no number that JSON lacks, however long price has stood still', () => {
    for (const count of [5_000, 9_500, 12_000]) {
      const found = flipPriceOf(frozenCandles(count, 80));
      assert.deepEqual(JSON.parse(JSON.stringify(found)), found);
    }
  });

  it('leaves its input as it is, and gives the same again', () => {
    const candles = demoCandles('PEPE_USDT', '1d');
    const given = copyOf(candles);
    const coreLine = computeCoreLine(given);
    const kept = structuredClone(coreLine);
    assert.deepEqual(flipPrice(given, coreLine), flipPrice(given, coreLine));
    assert.deepEqual(coreLine, kept);
    for (const column of candleColumns) assert.deepEqual(given[column], candles[column], column);
  });

  it('is of the whole series, whatever its length', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 61, max: 2_000 }), (seed, count) => {
        assertFlipPrice(randomCandles(count, { seed }), createRandom(seed).unit);
      }),
      { seed: 41, numRuns: 20 },
    );
  });
});

describeWithSharedData('flipPrice on real candles', () => {
  for (const [n, { pair, interval }] of sharedSeries.entries())
    it(`is where the state of the next candle turns: ${interval} candles of ${pair}`, () => {
      assertCuts(sharedCandles(pair, interval), 15, 100 + n);
    });
});
