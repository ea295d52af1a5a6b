import assert from 'node:assert/strict';
import { backtestMemory } from '../../support/jobs/backtest-memory.js';

const count = 525_600;

describe(`a backtest over ${count.toLocaleString('en')} candles`, function () {
  // Each test computes for seconds in a process of its own, and longer on a busy machine.
  this.timeout(120_000);

  for (const strategy of ['trend_state', 'ema_cross'] as const) {
    it(`takes less than 40 MB beyond them: ${strategy}, the task with a window of one year`, () => {
      const { needed } = backtestMemory('task', strategy, count);
      assert.ok(needed > 4 && needed < 40, `${needed} MB`);
    });

    it(`takes less than 40 MB beyond them: ${strategy}, the engine and its figures over all of them`, () => {
      const { needed } = backtestMemory('whole', strategy, count);
      assert.ok(needed > 4 && needed < 40, `${needed} MB`);
    });
  }
});
