import assert from 'node:assert/strict';
import { candleColumns, createCandles, sliceCandles, type Candles } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { intervalMs, type Interval } from '../../compute/model/interval.js';
import { ScratchBuffers } from '../../compute/model/scratch-buffers.js';
import { tasks } from '../../compute/tasks.js';
import { demoCandles } from '../support/candles/demo-candles.js';
import { copyOf, flatCandles } from '../support/candles/odd-candles.js';
import { randomCandles } from '../support/candles/random-candles.js';

type Question = (candles: Candles, interval: Interval) => object;

const about =
  (params: object): Question =>
  (candles, interval) => ({ candles, interval, params });

const market =
  (params: object): Question =>
  (candles, interval) => ({
    pairs: ['BTC', 'ETH'].map((asset) => ({ asset, tradeMarket: 'USDT', candles })),
    interval,
    params,
  });

/** A question for each task that reads candles, with the interval it is asked on. */
const questions: [name: string, interval: Interval, question: Question][] = [
  ['performance', '1h', market({ assets: ['ETH', 'BTC'] })],
  [
    'recurring-buy',
    '1d',
    about({ amount: 9, every: 'week', period: '1y', onlyState: 'wait', feePercent: 1 }),
  ],
  ['seasonality', '1h', about({ by: 'session' })],
  ['seasonality', '1d', about({ by: 'month' })],
  ['similar-history', '4h', about({ window: 30, matches: 10 })],
  ['tail-risk', '1d', market({ weights: { BTC: 2, ETH: 1 }, lookbackDays: 365 })],
  [
    'target-probability',
    '4h',
    (candles, interval) => {
      const close = candles.close[candles.close.length - 1] ?? 1;
      const params = {
        side: 'short',
        entry: null,
        target: String(close * 0.9),
        stop: String(close * 1.05),
        maxCandles: 30,
      };
      return { candles, interval, params };
    },
  ],
];

const run = (name: string, question: object, scratch?: ScratchBuffers): unknown =>
  (
    tasks.find((task) => task.name === name) as { run: (input: object, scratch?: ScratchBuffers) => unknown }
  ).run(question, scratch);

/** The same candles at times that fit the interval. */
function on(interval: Interval, candles: Candles): Candles {
  const copy = copyOf(candles);
  copy.time.forEach((_, i) => (copy.time[i] = Date.UTC(2020, 0, 1) + i * intervalMs(interval)));
  return copy;
}

/** Fails unless the value is plain data of finite numbers: what JSON keeps as it is. */
const assertPlain = (value: unknown, what: string) =>
  assert.deepEqual(JSON.parse(JSON.stringify(value)), value, what);

describe('a reading', () => {
  for (const [name, interval, question] of questions) {
    it(`${name} gives plain data, the same in fresh memory and in used, on ${interval}`, () => {
      const candles = demoCandles('SOL_USDT', interval);
      const expected = run(name, question(candles, interval));
      assertPlain(expected, name);
      const scratch = new ScratchBuffers();
      run(name, question(on(interval, randomCandles(2_000)), interval), scratch);
      scratch.clear();
      const found = run(name, question(candles, interval), scratch);
      scratch.clear();
      scratch.column(candles.time.length).fill(NaN);
      assert.deepEqual(found, expected);
      assert.deepEqual(structuredClone(found), expected);
    });

    it(`${name} answers or refuses any history, however short or still, on ${interval}`, () => {
      const walk = on(interval, randomCandles(700, { seed: 21 }));
      const quiet = copyOf(walk);
      quiet.volume.fill(0);
      const histories: Candles[] = [
        ...[0, 1, 2, 3, 15, 31, 45, 62, 100, 700].map((count) => sliceCandles(walk, 0, count)),
        ...[1e-8, 1e8].map((price) => on(interval, flatCandles(700, price))),
        ...[1e-8, 1e8].map((price) => on(interval, randomCandles(700, { seed: 22, price }))),
        quiet,
        createCandles(0),
      ];
      let answered = 0;
      for (const history of histories) {
        const { length } = history.time;
        try {
          assertPlain(run(name, question(history, interval)), `${name} of ${length}`);
          answered++;
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          assert.equal(error.code, 'not_enough_history', error.message);
          assert.ok(Number(error.details.needed) > Number(error.details.found));
        }
      }
      assert.ok(answered >= 6, `${answered} answered`);
    });

    it(`${name} reads nothing outside the columns it is given, on ${interval}`, () => {
      const walk = on(interval, randomCandles(900, { seed: 23 }));
      const middle = sliceCandles(walk, 100, 800);
      const alone = createCandles(700);
      for (const column of candleColumns) alone[column].set(middle[column]);
      assert.deepEqual(run(name, question(middle, interval)), run(name, question(alone, interval)));
    });
  }
});
