import assert from 'node:assert/strict';
import { reportVolatility, type VolatilityReport } from '../../../compute/market/volatility.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const report = (candles = randomCandles(2000)) => reportVolatility({ candles, interval: '1h', params: {} });

describe('reportVolatility', () => {
  const points = expectedReadings<VolatilityReport>('volatility');

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points)
      assertAlike(reportVolatility(question), expected, title);
  });

  it('is tested with every regime, with the squeeze on and off, and with histories too short for some of it', () => {
    const all = points.map(({ expected }) => expected);
    assert.equal(new Set(all.map(({ regime }) => regime.now)).size, 4);
    assert.equal(new Set(all.map(({ squeeze }) => squeeze.on)).size, 2);
    assert.equal(new Set(all.map(({ realised }) => realised[2].percent === null)).size, 2);
    assert.ok(all.some(({ regime }) => regime.candles === 8760));
  });

  it('dates squeeze and regime as it did when they began', () => {
    const candles = sliceCandles(demoCandles('SOL_USDT', '1h'), 0, 3000);
    let before = report(sliceCandles(candles, 0, 2899));
    for (let count = 2900; count <= 3000; count++) {
      const now = report(sliceCandles(candles, 0, count));
      const time = candles.time[count - 1];
      const sameRegime = now.regime.now === before.regime.now;
      assert.equal(now.regime.since, sameRegime ? before.regime.since : time);
      assert.equal(now.regime.lasted, sameRegime ? before.regime.lasted + 1 : 1);
      const sameSqueeze = now.squeeze.on === before.squeeze.on;
      assert.equal(now.squeeze.since, sameSqueeze ? before.squeeze.since : time);
      before = now;
    }
  });

  it('brings realised volatility to a year by the time that passed, so a gap does not raise it', () => {
    const candles = randomCandles(3000, { seed: 4 });
    const [, month] = report(candles).realised;
    for (let i = 0; i < 3000; i++) candles.time[i] *= 4;
    const [, stretched] = report(candles).realised;
    assert.equal(month.returns, 720);
    assert.equal(stretched.returns, 180);
    assert.ok(Math.abs(stretched.percent! / month.percent! - 0.5) < 0.1);
  });

  it('knows the volatility of seven days from the first candle that closes seven days after another', () => {
    const weekOf = (count: number) => report(randomCandles(count)).realised[0];
    const reason = 'the history is shorter than 7 days';
    assert.deepEqual(weekOf(168), { days: 7, percent: null, returns: 0, reason });
    assert.equal(weekOf(169).returns, 168);
    assert.ok(weekOf(169).percent! > 0);
  });

  it('finds prices that never move neither squeezed nor stressed', () => {
    const { atr, bollinger, squeeze, realised, regime } = report(flatCandles(3000));
    assert.deepEqual(atr, { value: 0, percent: 0 });
    assert.deepEqual(bollinger, {
      ...{ upper: 100, middle: 100, lower: 100, placePercent: null },
      ...{ bandwidth: 0, percentile: 50, percentileCandles: 720 },
      reason: 'the bands are equal: the price has not moved',
    });
    assert.deepEqual([squeeze.on, squeeze.ratio], [false, null]);
    assert.deepEqual(
      realised.map(({ percent }) => percent),
      [0, 0, 0],
    );
    assert.equal(regime.now, 'normal');
  });
});
