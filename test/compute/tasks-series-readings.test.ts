import assert from 'node:assert/strict';
import type { Candles } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { intervalMs, type Interval } from '../../compute/model/interval.js';
import type { ReadAt } from '../../compute/market/read-at.js';
import { tasks, type TaskName } from '../../compute/tasks.js';
import { assertPlain } from '../support/numbers/assert-plain.js';
import { demoCandles } from '../support/candles/demo-candles.js';
import { flatCandles, frozenCandles } from '../support/candles/odd-candles.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { taskInput } from '../support/jobs/task-inputs.js';

/** The readings of one pair, and how many candles each needs at least. */
const fewest = {
  'candlestick-patterns': 30,
  divergences: 60,
  'indicator-values': 1,
  momentum: 60,
  'support-resistance': 60,
  'technical-summary': 60,
  'trade-levels': 60,
  trend: 60,
  volatility: 30,
  volume: 21,
} as const satisfies Partial<Record<TaskName, number>>;

type ReadingName = keyof typeof fewest;

const names = Object.keys(fewest) as ReadingName[];

function ask(name: ReadingName, candles: Candles, interval: Interval = '1h'): ReadAt {
  const task = tasks.find((each) => each.name === name)!;
  const input = taskInput(name, { candles, other: candles, interval });
  return (task.run as (input: unknown) => ReadAt)(input);
}

const refusal = (name: ReadingName, candles: Candles): AppError => {
  try {
    ask(name, candles);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  return assert.fail(`${name} answered`);
};

for (const name of names) {
  describe(`${name} task`, () => {
    it(`needs ${fewest[name]} candles, and says how many there are`, () => {
      const needed = fewest[name];
      for (const found of new Set([0, Math.min(1, needed - 1), needed - 1])) {
        const { code, details } = refusal(name, randomCandles(found));
        assert.deepEqual({ code, details }, { code: 'not_enough_history', details: { needed, found } });
      }
      for (const count of [needed, needed + 1, needed + 30]) assertPlain(ask(name, randomCandles(count)));
    });

    it('says on which candle it stands', () => {
      for (const interval of ['1h', '4h', '1d'] as const) {
        const { time, close } = demoCandles('ETH_BTC', interval);
        const { asOf, price, candles } = ask(name, demoCandles('ETH_BTC', interval), interval);
        const last = time.length - 1;
        assert.deepEqual(
          { asOf, price, candles },
          { asOf: time[last] + intervalMs(interval), price: close[last], candles: last + 1 },
        );
      }
    });

    it('says the same in JSON, whether price moves or not', () => {
      const still = [flatCandles(900, 0.1), frozenCandles(900, 400), flatCandles(900, 1e-8)];
      for (const candles of [randomCandles(900), ...(name === 'trade-levels' ? [] : still)]) {
        const reading = ask(name, candles);
        assert.deepEqual(JSON.parse(JSON.stringify(reading)), reading);
      }
    });
  });
}

describe('trade-levels task', () => {
  it('has no plan for a price that does not move', () => {
    for (const candles of [flatCandles(900), frozenCandles(900, 400)]) {
      const { code, details } = refusal('trade-levels', candles);
      assert.deepEqual([code, details.field], ['invalid_input', 'asset']);
    }
  });
});
