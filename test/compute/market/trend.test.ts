import assert from 'node:assert/strict';
import { reportTrend, type TrendReport } from '../../../compute/market/trend.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { readPsar } from '../../../compute/risk/score.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const report = (candles = randomCandles(600), scratch?: ScratchBuffers) =>
  reportTrend({ candles, interval: '1h', params: {} }, scratch);

describe('reportTrend', () => {
  const points = expectedReadings<TrendReport>('trend');

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points)
      assertAlike(reportTrend(question), expected, title, question.candles.close.at(-1));
  });

  it('is tested with every order, cloud position and kind of cross', () => {
    const all = points.map(({ expected }) => expected);
    const kinds = (of: (report: TrendReport) => unknown) => new Set(all.map(of)).size;
    assert.equal(
      kinds(({ movingAverages }) => movingAverages.order),
      3,
    );
    assert.equal(
      kinds(({ movingAverages }) => movingAverages.lastCross?.kind),
      3,
    );
    assert.equal(
      kinds(({ ichimoku }) => ichimoku.cloud?.position),
      4,
    );
    assert.equal(
      kinds(({ supertrend }) => supertrend.value),
      2,
    );
  });

  it('dates crosses and stops as it did when they came about', () => {
    const candles = demoCandles('BTC_USDT', '4h');
    const scratch = new ScratchBuffers();
    const until = (count: number) => {
      scratch.clear();
      return report(sliceCandles(candles, 0, count), scratch);
    };
    let before = until(999);
    let crosses = 0;
    for (let count = 1000; count <= 1400; count++) {
      const now = until(count);
      const time = candles.time[count - 1];
      for (const [cross, earlier] of [
        [now.movingAverages.lastCross, before.movingAverages.lastCross],
        [now.ichimoku.lastCross, before.ichimoku.lastCross],
      ] as const) {
        if (cross?.candlesAgo === 0) crosses++;
        assert.equal(cross?.time, cross?.candlesAgo === 0 ? time : earlier?.time);
      }
      for (const stop of ['psar', 'supertrend'] as const) {
        const same = now[stop].value === before[stop].value;
        assert.equal(now[stop].since, same ? before[stop].since : time);
      }
      before = now;
    }
    assert.ok(crosses > 10, `${crosses}`);
  });

  it('finds the last cross however long ago it was', () => {
    const candles = randomCandles(3000, { seed: 2 });
    const early = report(sliceCandles(candles, 0, 400));
    // From candle 400 on price only rises: the averages cross upwards once more at most, and never again.
    for (let i = 400; i < 3000; i++) {
      const price = 200 + i;
      candles.open[i] = candles.close[i] = price;
      candles.high[i] = price + 1;
      candles.low[i] = price - 1;
    }
    const { ichimoku, movingAverages } = report(candles);
    assert.ok(early.ichimoku.lastCross);
    assert.equal(ichimoku.lastCross?.way, 'up');
    assert.ok(
      ichimoku.lastCross.candlesAgo > 2500 && ichimoku.lastCross.time >= early.ichimoku.lastCross.time,
    );
    assert.equal(movingAverages.lastCross?.kind, 'golden');
    assert.ok(movingAverages.lastCross.candlesAgo > 2300);
  });

  it('is on the same side of the parabolic stop as the risk assessment', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const candles = randomCandles(300, { seed });
      assert.equal(report(candles).psar.value, readPsar(candles).value);
    }
  });

  it('finds no order, cross or slope in prices that never move, at any price', () => {
    for (const price of [0.1, 1e-8, 12_345.678]) {
      const { adx, ichimoku, movingAverages } = report(flatCandles(2000, price));
      const { lines, ...rest } = movingAverages;
      assert.deepEqual(rest, {
        ...{ order: 'mixed', bullishPairs: 0, bearishPairs: 0, longTerm: 'neutral', lastCross: null },
      });
      for (const { slopePercent } of lines) assert.ok(Math.abs(slopePercent!) < 1e-12);
      assert.deepEqual([adx.value, adx.trendDirection], [0, 'neutral']);
      assert.deepEqual(
        [ichimoku.value, ichimoku.lastCross, ichimoku.cloud?.position],
        ['neutral', null, 'inside'],
      );
    }
  });
});
