import assert from 'node:assert/strict';
import { reportMomentum, type MomentumReport } from '../../../compute/market/momentum.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { readMacdCross, readRsiCross } from '../../../compute/risk/cross.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const oscillators = ['rsi', 'macd', 'stochastic', 'cci'] as const;

const report = (candles = randomCandles(600), scratch?: ScratchBuffers) =>
  reportMomentum({ candles, interval: '1h', params: {} }, scratch);

describe('reportMomentum', () => {
  const points = expectedReadings<MomentumReport>('momentum');

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points)
      assertAlike(reportMomentum(question), expected, title, question.candles.close.at(-1));
  });

  it('is tested with every zone, signal and momentum of every oscillator', () => {
    for (const name of oscillators) {
      const all = points.map(({ expected }) => expected[name]);
      assert.equal(new Set(all.map(({ zone }) => zone)).size, 3, name);
      assert.equal(new Set(all.map(({ labels }) => labels.signal)).size, 3, name);
      assert.ok(new Set(all.map(({ labels }) => labels.momentum)).size >= (name === 'macd' ? 2 : 4), name);
    }
  });

  it('has the labels and results of the risk assessment', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const candles = randomCandles(300, { seed });
      const { rsi, macd } = report(candles);
      for (const [found, wanted] of [
        [rsi, readRsiCross(candles)],
        [macd, readMacdCross(candles)],
      ]) {
        const { value, labels, results } = found;
        assert.deepEqual({ value, labels, results }, wanted);
      }
    }
  });

  it('dates crosses as it did when they came about, and calls the fresh ones a signal', () => {
    const candles = demoCandles('SOL_USDT', '1d');
    const scratch = new ScratchBuffers();
    const until = (count: number) => {
      scratch.clear();
      return report(sliceCandles(candles, 0, count), scratch);
    };
    let before = until(299);
    for (let count = 300; count <= 600; count++) {
      const now = until(count);
      for (const name of oscillators) {
        const cross = now[name].lastCross!;
        assert.equal(
          cross.time,
          cross.candlesAgo === 0 ? candles.time[count - 1] : before[name].lastCross!.time,
        );
        const signal = cross.way === 'up' ? 'buy' : 'sell';
        assert.equal(now[name].labels.signal, cross.candlesAgo < 3 ? signal : 'hold', `${name} ${count}`);
      }
      before = now;
    }
  });

  it('finds prices that never move neither oversold nor crossing', () => {
    for (const price of [0.1, 1e-8, 1e8]) {
      const reading = report(flatCandles(900, price));
      for (const name of oscillators) {
        const { zone, lastCross, percentile } = reading[name];
        assert.deepEqual([zone, lastCross], ['neutral', null], `${name} at ${price}`);
        assert.ok(name === 'macd' || percentile === 50);
      }
      assert.equal(reading.rsi.labels.momentum, 'flat');
    }
  });
});
