import assert from 'node:assert/strict';
import { flipStatistics } from '../../../compute/core-line/core-line-tasks.js';
import { coreLineParams } from '../../../compute/core-line/rule.js';
import { stateCode } from '../../../compute/model/core-line.js';

const { accumulate, distribute, none, wait } = stateCode;

/** States from the first ready candle on; before it there is none. */
const statesOf = (...states: number[]) =>
  Int8Array.from([...Array<number>(coreLineParams.readyIndex).fill(none), ...states]);

const kindOf = ({ from, to, candles }: { from: string; to: string; candles: number }) =>
  `${from} > ${to}, ${candles}`;

describe('flipStatistics', () => {
  it('counts how long states lasted between two flips, the first and the last state apart', () => {
    const state = statesOf(
      wait,
      accumulate,
      accumulate,
      accumulate,
      wait,
      accumulate,
      wait,
      wait,
      distribute,
    );
    const { durations } = flipStatistics(new Float64Array(state.length).fill(1), state);
    const [up, flat, down] = durations;
    assert.deepEqual([up.state, up.count, up.mean, up.median], ['accumulate', 2, 2, 2]);
    assert.deepEqual([flat.state, flat.count, flat.mean, flat.median], ['wait', 2, 1.5, 1.5]);
    assert.deepEqual(
      [down.state, down.count, down.mean, down.low, down.high],
      ['distribute', 0, null, null, null],
    );
  });

  it('follows the price from the close of the flip, in percent, where the history is long enough', () => {
    const state = statesOf(...Array<number>(3).fill(wait), ...Array<number>(12).fill(accumulate));
    const close = Float64Array.from(state, (_, i) => 100 + i);
    const { forwardReturns } = flipStatistics(close, state);
    const at = coreLineParams.readyIndex + 3;
    assert.deepEqual(
      forwardReturns.map((each) => [kindOf(each), each.count, each.mean]),
      [
        ['wait > accumulate, 5', 1, (close[at + 5] / close[at] - 1) * 100],
        ['wait > accumulate, 10', 1, (close[at + 10] / close[at] - 1) * 100],
        ['wait > accumulate, 20', 0, null],
        ['wait > accumulate, 60', 0, null],
      ],
    );
  });

  it('counts a return only where it shares no candle with an earlier one after the same kind of flip', () => {
    // Flips to accumulate every four candles: five candles after the first, the second return is under way.
    const cycle = [accumulate, accumulate, wait, wait];
    const state = statesOf(
      wait,
      ...Array.from({ length: 10 }, () => cycle).flat(),
      ...Array<number>(30).fill(wait),
    );
    const close = Float64Array.from(state, (_, i) => 100 + i);
    const first = coreLineParams.readyIndex + 1;
    const rises = flipStatistics(close, state).forwardReturns.filter(({ to }) => to === 'accumulate');
    const counted = (candles: number, every: number, last: number) => {
      const returns = [];
      for (let at = first; at <= last; at += every) returns.push((close[at + candles] / close[at] - 1) * 100);
      return { count: returns.length, mean: returns.reduce((sum, value) => sum + value, 0) / returns.length };
    };
    const last = first + 36;
    assert.deepEqual(
      rises.map(({ candles, seen, count, mean }) => ({ candles, seen, count, mean })),
      [
        { candles: 5, seen: 10, ...counted(5, 8, last) },
        { candles: 10, seen: 10, ...counted(10, 12, last) },
        { candles: 20, seen: 10, ...counted(20, 20, last) },
        { candles: 60, seen: 3, ...counted(60, 60, first) },
      ],
    );
  });

  it('has nothing to say of a history without flips', () => {
    const state = statesOf(wait, wait, wait);
    const { durations, forwardReturns } = flipStatistics(new Float64Array(state.length).fill(1), state);
    assert.ok(durations.every(({ count, mean }) => count === 0 && mean === null));
    assert.deepEqual(forwardReturns, []);
  });
});
