import assert from 'node:assert/strict';
import { flipIndexes, viewCoreLine } from '../../../compute/core-line/core-line-tasks.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import type { Condition, FlipView } from '../../../compute/model/core-line.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles, demoSeries } from '../../support/candles/demo-candles.js';

const conditionOf = ({ conditions }: FlipView, name: Condition['name']) =>
  conditions.find((condition) => condition.name === name)!;

/** Whether a flip went to the side of a rise. */
const rose = ({ from, to }: FlipView) => to === 'accumulate' || (to === 'wait' && from === 'distribute');

for (const { pair, interval } of demoSeries) {
  describe(`flips on ${interval} candles of ${pair}`, () => {
    const candles = demoCandles(pair, interval);
    const { time, high, low, close } = candles;
    const coreLine = computeCoreLine(candles);
    const { flips } = viewCoreLine(candles, interval);
    const at = (flip: FlipView) => time.indexOf(flip.time);

    it('name every condition once', () => {
      for (const { conditions } of flips)
        assert.deepEqual(
          conditions.map(({ name }) => name),
          ['band', 'slope', 'direction', 'strength', 'confirmation'],
        );
    });

    it('into accumulate or distribute meet all conditions, into wait that of the band or of strength', () => {
      for (const flip of flips) {
        if (flip.to === 'wait')
          assert.ok(conditionOf(flip, 'band').held || conditionOf(flip, 'strength').held);
        else assert.ok(flip.conditions.every(({ held }) => held));
      }
    });

    it('compare the numbers of their candle, and hold what these say', () => {
      for (const flip of flips) {
        const i = at(flip);
        const side = rose(flip) ? 1 : -1;
        const { line, atr, adx, pdi, mdi } = coreLine;
        const [ahead, behind] = rose(flip) ? [pdi[i], mdi[i]] : [mdi[i], pdi[i]];
        const slope = (line[i] - line[i - 3]) / atr[i];
        const into = flip.to !== 'wait';
        const expected: [Condition['name'], number, number, boolean][] = [
          [
            'band',
            close[i],
            line[i] + side * 0.5 * atr[i],
            side * (close[i] - line[i] - side * 0.5 * atr[i]) > 0,
          ],
          ['slope', slope, 0, side * slope > 0],
          ['direction', ahead, behind, ahead > behind],
          ['strength', adx[i], into ? 20 : 15, into ? adx[i] >= 20 : adx[i] < 15],
        ];
        for (const [name, value, threshold, held] of expected) {
          const condition = conditionOf(flip, name);
          assertClose(condition.value, value, `${name} value`);
          assertClose(condition.threshold, threshold, `${name} threshold`);
          assert.equal(condition.held, held, `${name} held`);
        }
      }
    });

    it('count the candles in a row that agree', () => {
      for (const flip of flips) {
        const { line, atr, pdi, mdi } = coreLine;
        const side = rose(flip) ? 1 : -1;
        let i = at(flip);
        let count = 0;
        const agrees = () =>
          side * (close[i] - (line[i] + side * 0.5 * atr[i])) > 0 &&
          side * (line[i] - line[i - 3]) > 0 &&
          side * (pdi[i] - mdi[i]) > 0;
        for (; i >= 60 && agrees(); i--) count++;
        const { value, threshold, held } = conditionOf(flip, 'confirmation');
        assert.deepEqual([value, threshold, held], [count, 2, count >= 2]);
      }
    });

    it('explain themselves with states, close and every number compared', () => {
      for (const { from, to, close, conditions, explanation } of flips) {
        assert.ok(explanation.startsWith(`Turned from ${from} to ${to} at ${formatNumber(close)}: `));
        assert.ok(explanation.endsWith('.') && !/NaN|undefined|Infinity/.test(explanation));
        const failed = explanation.split('; not met: ')[1] ?? '';
        for (const { asks, value, threshold, held } of conditions) {
          const words = explanation.slice(explanation.indexOf(`${asks} (`)).split(')')[0];
          assert.ok(words.startsWith(`${asks} (`) && words.includes(formatNumber(value)), words);
          assert.ok(threshold === 0 || words.includes(formatNumber(threshold)), words);
          assert.equal(failed.includes(words), !held, words);
        }
      }
    });

    it('follow each other without a break, newest first, and end where the state does', () => {
      const indexes = flipIndexes(coreLine.state).slice(-flips.length).reverse();
      assert.deepEqual(flips.map(at), indexes);
      flips.forEach((flip, n) => {
        assert.equal(flip.close, close[indexes[n]]);
        assert.notEqual(flip.from, flip.to);
        if (n > 0) assert.equal(flip.to, flips[n - 1].from);
      });
    });

    it('tell what price did until the next flip, or until now', () => {
      flips.forEach((flip, n) => {
        const [start, next] = [at(flip), n === 0 ? null : at(flips[n - 1])];
        const end = next ?? close.length - 1;
        assert.deepEqual(flip.outcome, {
          until: next === null ? null : time[next],
          candles: end - start,
          close: close[end],
          change: (close[end] / close[start] - 1) * 100,
          highest: Math.max(close[start], ...high.subarray(start + 1, end + 1)),
          lowest: Math.min(close[start], ...low.subarray(start + 1, end + 1)),
        });
      });
    });
  });
}
