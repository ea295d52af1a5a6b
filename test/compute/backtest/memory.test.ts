import assert from 'node:assert/strict';
import { backtestMemory } from '../../support/jobs/backtest-memory.js';

const count = 262_800;

const works = {
  'the task with a window of one year': 'task',
  'the engine and its figures over all of them': 'whole',
} as const;

describe(`a backtest over ${count.toLocaleString('en')} candles`, function () {
  // Each test computes for seconds in a process of its own, and longer on a busy machine.
  this.timeout(120_000);

  for (const strategy of ['trend_state', 'ema_cross'] as const) {
    for (const [what, kind] of Object.entries(works))
      it(`takes twice as much beyond them as for half of them: ${strategy}, ${what}`, () => {
        const [half, whole] = [count / 2, count].map((each) => backtestMemory(kind, strategy, each).needed);
        assert.ok(whole > 1.2 * half && whole < 3 * half, `${half} MB, then ${whole} MB`);
      });
  }
});
