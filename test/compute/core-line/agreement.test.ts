import assert from 'node:assert/strict';
import { agreement } from '../../../compute/core-line/trend-states.js';
import type { TrendState } from '../../../compute/model/core-line.js';

const all = { a: 'accumulate', w: 'wait', d: 'distribute', '-': null } as const;

/** The agreement of states given by their first letters, `-` for none. */
function of(letters: string) {
  const states = [...letters].map((letter): TrendState | null => all[letter as keyof typeof all]);
  const { score, aligned, known, majority, conflict } = agreement(states);
  return [score, aligned, known, majority, conflict];
}

describe('agreement', () => {
  it('is full where all intervals say the same, and its sign tells what', () => {
    assert.deepEqual(of('aaa'), [1, 3, 3, 'accumulate', false]);
    assert.deepEqual(of('www'), [0, 3, 3, 'wait', false]);
    assert.deepEqual(of('ddd'), [-1, 3, 3, 'distribute', false]);
  });

  it('is the mean of the intervals, whatever their order', () => {
    for (const letters of ['aaw', 'awa', 'waa'])
      assert.deepEqual(of(letters), [2 / 3, 2, 3, 'accumulate', false]);
    for (const letters of ['ddw', 'wdd']) assert.deepEqual(of(letters), [-2 / 3, 2, 3, 'distribute', false]);
    assert.deepEqual(of('aww'), [1 / 3, 2, 3, 'wait', false]);
  });

  it('tells intervals that wait from such as contradict each other', () => {
    assert.deepEqual(of('awd'), [0, 1, 3, null, true]);
    assert.deepEqual(of('aad'), [1 / 3, 2, 3, 'accumulate', true]);
    assert.deepEqual(of('ad'), [0, 1, 2, null, true]);
  });

  it('leaves out what is not known', () => {
    assert.deepEqual(of('a-a'), [1, 2, 2, 'accumulate', false]);
    assert.deepEqual(of('--d'), [-1, 1, 1, 'distribute', false]);
    assert.deepEqual(of('a-w'), [0.5, 1, 2, null, false]);
    for (const letters of ['---', '']) assert.deepEqual(of(letters), [null, 0, 0, null, false]);
  });
});
