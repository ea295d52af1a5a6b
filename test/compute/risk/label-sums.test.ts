import assert from 'node:assert/strict';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { tradeSides, type RiskProfile, type TradeSide } from '../../../compute/model/risk-assessment.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { assessTrade } from '../../../compute/risk/assess-risk.js';
import { mergeLabelSums, sumLabels, type LabelSums } from '../../../compute/risk/label-sums.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { candlesWhere } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const hourMs = 3_600_000;

/** One assessment: its hour, side, label, and the worst moves within the times ahead that are whole. */
interface Assessed {
  time: number;
  side: TradeSide;
  label: RiskProfile;
  moves: number[];
}

/** Assesses every hour anew, on candles cut off behind it, and looks for the worst price by time. */
function assessEach(candles: Candles, leading: Candles, isLeading: boolean, from: number): Assessed[] {
  const scratch = new ScratchBuffers();
  const found: Assessed[] = [];
  for (let i = from; i < candles.time.length; i++) {
    const known = sliceCandles(candles, 0, i + 1);
    for (const side of tradeSides) {
      scratch.clear();
      const { riskProfile } = assessTrade({ candles: known, leading, isLeading, side }, scratch);
      const moves = [24, 168].flatMap((hours) => {
        const after = Array.from(candles.time.keys()).filter(
          (k) => k > i && candles.time[k] <= candles.time[i] + hours * hourMs,
        );
        if (after.length < hours) return [];
        const close = candles.close[i];
        const worst = after.map((k) => (side === 'long' ? candles.low[k] - close : close - candles.high[k]));
        return [(Math.min(0, ...worst) / close) * 100];
      });
      if (moves.length > 0) found.push({ time: candles.time[i], side, label: riskProfile, moves });
    }
  }
  return found;
}

/** All sums by side, time ahead and label, over all periods. */
function totals({ periods }: LabelSums) {
  const all: Record<string, [count: number, sum: number]> = {};
  for (const { sums } of periods)
    for (const side of tradeSides)
      sums[side].forEach((labels, n) => {
        for (const [label, { count, sum }] of Object.entries(labels)) {
          const cell = (all[`${side} ${n} ${label}`] ??= [0, 0]);
          cell[0] += count;
          cell[1] += sum;
        }
      });
  return all;
}

function assertAsAssessed(candles: Candles, leading: Candles, isLeading: boolean) {
  const expected: Record<string, [count: number, sum: number]> = {};
  for (const side of tradeSides)
    for (const n of [0, 1])
      for (const label of ['low', 'moderate', 'tooRisky']) expected[`${side} ${n} ${label}`] = [0, 0];
  for (const { side, label, moves } of assessEach(candles, leading, isLeading, 249))
    moves.forEach((move, n) => {
      expected[`${side} ${n} ${label}`][0]++;
      expected[`${side} ${n} ${label}`][1] += move;
    });
  const found = totals(sumLabels({ candles, leading, isLeading }));
  for (const [key, [count, sum]] of Object.entries(expected)) {
    assert.equal(found[key][0], count, key);
    assert.ok(
      Math.abs(found[key][1] - sum) <= 1e-7 * Math.max(1, Math.abs(sum)),
      `${key}: ${found[key][1]} ${sum}`,
    );
  }
}

describe('sumLabels', function () {
  this.timeout(30_000);

  it('labels every hour as an assessment at that hour does, and finds the worst price after it', () => {
    const leading = sliceCandles(demoCandles('BTC_USDT', '1h'), 0, 1_500);
    const holed = candlesWhere(sliceCandles(demoCandles('SOL_USDT', '1h'), 0, 1_500), (i) => i % 613 !== 600);
    assertAsAssessed(holed, leading, false);
    assertAsAssessed(sliceCandles(leading, 0, 900), leading, true);
  });

  it('waits for the leading asset, and leaves out hours whose time ahead is not over', () => {
    const candles = randomCandles(700, { seed: 4 });
    const leading = sliceCandles(randomCandles(700, { seed: 5 }), 100, 700);
    const found = sumLabels({ candles, leading, isLeading: false });
    assert.equal(found.fromMs, candles.time[349] + hourMs);
    assert.equal(found.toMs, candles.time[675] + hourMs);
    const counts = (n: number) =>
      Object.entries(totals(found))
        .filter(([key]) => key.startsWith(`short ${n}`))
        .reduce((sum, [, [count]]) => sum + count, 0);
    assert.deepEqual([counts(0), counts(1)], [676 - 349, 532 - 349]);
    assert.deepEqual(
      sumLabels({ candles: sliceCandles(candles, 0, 249), leading: candles, isLeading: false }),
      {
        fromMs: null,
        toMs: null,
        periods: [],
      },
    );
  });

  it('adds up the periods of several assets', () => {
    const [one, other] = [randomCandles(900, { seed: 1 }), randomCandles(800, { seed: 2 })].map((candles) =>
      sumLabels({ candles, leading: candles, isLeading: true }),
    );
    const both = mergeLabelSums([one, other]);
    const [a, b, sum] = [one, other, both].map(totals);
    for (const key of Object.keys(sum)) assert.equal(sum[key][0], a[key][0] + b[key][0]);
    assert.deepEqual([both.fromMs, both.toMs], [one.fromMs, one.toMs]);
    assert.equal(both.periods.length, one.periods.length);
    assert.deepEqual(mergeLabelSums([one]), one);
    assert.deepEqual(mergeLabelSums([]), { fromMs: null, toMs: null, periods: [] });
  });
});
