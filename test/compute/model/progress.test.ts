import assert from 'node:assert/strict';
import { ProgressCell, reportPart } from '../../../compute/model/progress.js';
import type { Task } from '../../../compute/task.js';
import { tasks, type TaskName } from '../../../compute/tasks.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { taskInput, type Market } from '../../support/jobs/task-inputs.js';

describe('the progress of a task', () => {
  const phases = ['fit', 'test'];

  it('is read where it was written last, across threads', () => {
    const cell = new ProgressCell(phases);
    assert.deepEqual(cell.read(), { phase: 'fit', fraction: 0 });
    const { report } = new ProgressCell(phases, cell.buffer);
    report('fit', 0.25);
    assert.deepEqual(cell.read(), { phase: 'fit', fraction: 0.25 });
    report('test', 1);
    assert.deepEqual(cell.read(), { phase: 'test', fraction: 1 });
  });

  it('never goes back, beyond 1, or to a phase that the task does not have', () => {
    const cell = new ProgressCell(phases);
    cell.report('fit', 0.5);
    cell.report('fit', 0.4);
    cell.report('elsewhere', 0.9);
    assert.deepEqual(cell.read(), { phase: 'fit', fraction: 0.5 });
    cell.report('test', 7);
    assert.deepEqual(cell.read(), { phase: 'test', fraction: 1 });
  });

  it('of a part is told as that part of the whole', () => {
    const told: [string, number][] = [];
    const onProgress = reportPart((...each) => told.push(each), 0.5, 0.75);
    for (const fraction of [0, 0.5, 1]) onProgress('fit', fraction);
    assert.deepEqual(
      told.map(([, fraction]) => fraction),
      [0.5, 0.625, 0.75],
    );
  });
});

describe('tasks that may take long', () => {
  const all = tasks as unknown as readonly Task<TaskName, unknown, unknown>[];
  const long = all.filter(({ phases }) => phases);
  const market: Market = {
    candles: randomCandles(1_500, { seed: 3 }),
    other: randomCandles(1_500, { seed: 4 }),
    interval: '1h',
  };

  it('are those that try or scan many', () => {
    assert.deepEqual(long.map(({ name }) => name).toSorted(), [
      'backtest',
      'compare',
      'decide',
      'decide-rules',
      'luck-of-rules',
      'monte-carlo',
      'recent-flips',
      'scan-states',
      'sweep',
      'sweep-rules',
      'trade-rules',
      'walk-forward',
      'walk-rules-forward',
    ]);
  });

  for (const task of long)
    it(`tell their phases in order and fractions that rise from 0 to 1: ${task.name}`, () => {
      const told: { phase: string; fraction: number }[] = [];
      const input = taskInput(task.name, market);
      task.run(input, undefined, (phase, fraction) => told.push({ phase, fraction }));
      const heard = [...new Set(told.map(({ phase }) => phase))];
      assert.deepEqual(heard, task.phases);
      const places = told.map(({ fraction }) => fraction);
      assert.ok(places[0] >= 0 && places.at(-1)! <= 1);
      assert.deepEqual(
        places,
        places.toSorted((left, right) => left - right),
      );
      assert.equal(places.length > 1, true);
    });
});
