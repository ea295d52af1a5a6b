import assert from 'node:assert/strict';
import { candleColumns, createCandles, sliceCandles, type Candles } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { intervalMs, type Interval } from '../../compute/model/interval.js';
import { ScratchBuffers } from '../../compute/model/scratch-buffers.js';
import type { Task } from '../../compute/task.js';
import { tasks, type TaskName } from '../../compute/tasks.js';
import { allAnalyses } from '../../compute/analyses.js';
import { assertPlain } from '../support/numbers/assert-plain.js';
import { unexplainedNulls } from '../support/numbers/null-reasons.js';
import { selfEvidentOf } from '../support/numbers/self-evident-nulls.js';
import { copyOf, flatCandles, frozenCandles } from '../support/candles/odd-candles.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { taskInput, type Market } from '../support/jobs/task-inputs.js';

type AnyTask = Task<TaskName, unknown, unknown>;

const all = tasks as unknown as readonly AnyTask[];
const inputOf = ({ name }: AnyTask, market: Market) => taskInput(name, market);

const interval: Interval = '1h';
const count = 1_200;
const walk = (changes: { seed?: number; price?: number } = {}, length = count) =>
  randomCandles(length, { startMs: Date.UTC(2024, 0, 1), stepMs: intervalMs(interval), ...changes });

/** Without rows 300 to 420 and a few more here and there. */
function withGaps(candles: Candles): Candles {
  const kept = Array.from(candles.time.keys()).filter((i) => (i < 300 || i > 420) && i % 97 !== 5);
  const gapped = createCandles(kept.length);
  for (const column of candleColumns)
    kept.forEach((from, to) => (gapped[column][to] = candles[column][from]));
  return gapped;
}

function silent(candles: Candles): Candles {
  candles.volume.fill(0);
  return candles;
}

/** A price that jumps once from the least to the most there may be. */
function jumping(): Candles {
  const candles = walk({ seed: 3, price: 1e-8 });
  for (const column of ['open', 'high', 'low', 'close'] as const)
    for (let i = 700; i < count; i++) candles[column][i] *= 1e16;
  return candles;
}

const usual = (): Market => ({ candles: walk({ seed: 3 }), other: walk({ seed: 4 }), interval });
const alike = (candles: Candles): Market => ({ candles, other: walk({ seed: 4 }), interval });

/** Markets that no task may stumble over. */
const odd: Record<string, () => Market> = {
  'prices that never move': () => alike(flatCandles(count)),
  'two pairs that never move': () => ({ candles: flatCandles(count), other: flatCandles(count), interval }),
  'prices that stop moving': () => alike(frozenCandles(count, 700)),
  gaps: () => alike(withGaps(walk({ seed: 3 }))),
  'no volume at all': () => ({ candles: silent(walk({ seed: 3 })), other: silent(walk()), interval }),
  'prices about 1e-8': () => alike(walk({ seed: 3, price: 1e-8 })),
  'prices about 1e8': () => alike(walk({ seed: 3, price: 1e8 })),
  'a jump from 1e-8 to 1e8': () => alike(jumping()),
  'a pair and itself': () => ({ candles: walk(), other: walk(), interval }),
};

/** Runs a task; what it refuses, it refuses with a code that says the caller can't be answered, and why. */
function answer(task: AnyTask, market: Market, scratch?: ScratchBuffers): unknown {
  try {
    return task.run(inputOf(task, market), scratch);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    assert.ok(
      ['not_enough_history', 'invalid_input'].includes(error.code),
      `${error.code}: ${error.message}`,
    );
    return error;
  }
}

/** Fails for numbers without meaning, and for nulls of an analysis without the reason that its fields promise. */
function assertMeaningful(task: AnyTask, output: unknown): void {
  // The columns of a chart stand at NaN before their warm-up.
  assertPlain(output, task.name === 'core-line' ? 'any' : 'finite');
  const analysis = allAnalyses.find(({ name }) => name === task.name);
  if (analysis) assert.deepEqual(unexplainedNulls(analysis.output, output, selfEvidentOf(analysis.name)), []);
}

describe('every task', () => {
  for (const task of all) {
    describe(task.name, () => {
      it('answers a usual question in plain numbers', () => {
        const output = task.run(inputOf(task, usual()));
        assertMeaningful(task, output);
      });

      it('answers the same question in the same way, in fresh memory and in used', () => {
        const scratch = new ScratchBuffers();
        const expected = structuredClone(task.run(inputOf(task, usual())));
        for (let time = 0; time < 2; time++) {
          scratch.clear();
          scratch.column(count * 3).fill(-7);
          scratch.clear();
          const output = task.run(inputOf(task, usual()), scratch);
          scratch.clear();
          scratch.column(count * 3).fill(1e300);
          assert.deepEqual(output, expected);
        }
      });

      it('leaves the candles as they are', () => {
        const market = usual();
        const before = [copyOf(market.candles), copyOf(market.other)];
        task.run(inputOf(task, market));
        assert.deepEqual([copyOf(market.candles), copyOf(market.other)], before);
      });

      for (const [title, make] of Object.entries(odd)) {
        it(`gives no number without meaning for ${title}`, () => {
          const output = answer(task, make());
          if (!(output instanceof AppError)) assertMeaningful(task, output);
        });
      }

      it('gives an answer or says that history is too short, from no candle on', () => {
        for (const length of [0, 1, 2, 3, 10, 30, 61, 120, 251]) {
          const market = usual();
          const short = { ...market, candles: sliceCandles(market.candles, 0, length) };
          const shorter = { ...short, other: sliceCandles(market.other, 0, length) };
          for (const each of [short, shorter]) {
            // A core line is never asked for before there is a candle.
            if (length === 0 && task.name === 'core-line') continue;
            const output = answer(task, each);
            if (!(output instanceof AppError)) assertMeaningful(task, output);
          }
        }
      });
    });
  }
});
