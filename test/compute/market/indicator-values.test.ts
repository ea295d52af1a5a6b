import assert from 'node:assert/strict';
import {
  indicatorValues,
  listIndicatorValues,
  type IndicatorValues,
  type IndicatorValuesParams,
} from '../../../compute/market/indicator-values.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { readInput } from '../../../gateway/operation.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { allIndicators } from '../../support/candles/indicators-by-name.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const candles = randomCandles(700);

/** An indicator whose other parameters keep their defaults. */
interface Choice {
  name: string;
  params?: Record<string, number>;
}

const list = (choices: Choice[], last = 20, given = candles, before: number | null = null) =>
  listIndicatorValues({
    candles: given,
    interval: '1h',
    params: { indicators: choices.map((choice) => ({ params: {}, ...choice })), last, before },
  });

const schema = objectSchema(indicatorValues.params);

const read = (choices: unknown[]): IndicatorValuesParams => readInput(schema, { indicators: choices });

function refusal(choices: unknown[]): string {
  try {
    read(choices);
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'invalid_input');
    assert.equal(error.details.field, 'indicators');
    return error.message;
  }
  return assert.fail('expected an error');
}

/** As the independent implementation has it: first index and values, column by column. */
interface Expected extends Pick<IndicatorValues, 'times' | 'closes' | 'asOf' | 'price' | 'candles'> {
  warmups: (number | null)[];
  values: (number | null)[][];
}

const choices = [
  { name: 'rsi', params: { period: 7 } },
  { name: 'ema', params: { period: 100 } },
  { name: 'bollinger', params: { period: 30, width: 1.5 } },
  { name: 'macd', params: { fast: 5, slow: 20, signal: 4 } },
  { name: 'psar', params: { step: 0.01, limit: 0.1 } },
];

describe('listIndicatorValues', () => {
  const points = expectedReadings<Expected, IndicatorValuesParams>('indicator-values', {
    indicators: choices,
    last: 12,
    before: null,
  });

  it('equals TA-Lib with parameters of its own choosing', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points) {
      const { indicators, ...rest } = listIndicatorValues(question);
      const outputs = indicators.flatMap((each) => each.outputs);
      const values = outputs.map((output) => output.values);
      const warmups = outputs.map(({ warmup }) => (warmup < question.candles.time.length ? warmup : null));
      assertAlike({ ...rest, values, warmups }, expected, title, question.candles.close.at(-1));
    }
    assert.ok(points.some(({ expected }) => expected.warmups.includes(null)));
  });

  it('scrolls back to what it would have said when the candle before had closed', () => {
    const whole = list(choices, 700);
    for (const [before, last] of [
      [candles.time[300], 50],
      [candles.time[300] + 1, 50],
      [candles.time[10], 1_000],
      [0, 20],
    ]) {
      const to = candles.time.findIndex((ms) => ms >= before);
      const from = Math.max(0, to - last);
      const { times, indicators, price } = list(choices, last, candles, before);
      assert.deepEqual([times, price], [whole.times.slice(from, to), whole.price]);
      for (const [n, { outputs }] of indicators.entries())
        assert.deepEqual(
          outputs.map(({ values }) => values),
          whole.indicators[n].outputs.map(({ values }) => values.slice(from, to)),
        );
    }
  });

  it('lists every indicator there is, with all its parameters and outputs', () => {
    for (const { name, title, kind, params, outputs } of allIndicators) {
      const [found] = list([{ name }], 3).indicators;
      assert.deepEqual([found.name, found.title, found.kind], [name, title, kind]);
      assert.deepEqual(Object.keys(found.params), Object.keys(params));
      assert.deepEqual(
        found.outputs.map((output) => [output.name, output.values.length]),
        outputs.map((output) => [output, 3]),
      );
    }
  });

  it('has null before the warm-up, and says how long that is', () => {
    const [{ outputs }] = list(
      [{ name: 'sma', params: { period: 5 } }],
      100,
      sliceCandles(candles, 0, 7),
    ).indicators;
    assert.equal(outputs[0].warmup, 4);
    assert.deepEqual(
      outputs[0].values.map((value) => value !== null),
      [false, false, false, false, true, true, true],
    );
    const [never] = list(
      [{ name: 'sma', params: { period: 500 } }],
      2,
      sliceCandles(candles, 0, 7),
    ).indicators;
    assert.deepEqual(never.outputs, [{ name: 'sma', warmup: 499, values: [null, null] }]);
  });

  it('gives the candles asked for, the same values however many they are', () => {
    const all = list([{ name: 'kama' }], 100);
    const few = list([{ name: 'kama' }], 7);
    assert.deepEqual(few.times, [...candles.time.slice(-7)]);
    assert.deepEqual(few.closes, [...candles.close.slice(-7)]);
    assert.deepEqual(few.indicators[0].outputs[0].values, all.indicators[0].outputs[0].values.slice(-7));
  });

  it('takes an indicator twice, with other parameters', () => {
    const [fast, slow] = list([
      { name: 'ema', params: { period: 3 } },
      { name: 'ema', params: { period: 30 } },
    ]).indicators;
    assert.notDeepEqual(fast.outputs, slow.outputs);
  });
});

describe('the parameters of indicator-values', () => {
  it('are taken from the least to the greatest in steps, and the range is named for any other', () => {
    for (const { name, params } of allIndicators)
      for (const [param, { min, max, step = 1 }] of Object.entries(params)) {
        const ask = (value: unknown) => [{ name: 'rsi' }, { name, params: { [param]: value } }];
        for (const value of [min, max, Number((min + 3 * step).toFixed(3))])
          assert.equal(read(ask(value)).indicators[1].params[param], value);
        for (const value of [min - step, max + step, min + step / 2, NaN, Infinity, 'x', null, [14]]) {
          const message = refusal(ask(value));
          const what = `"indicators[1].params.${param}" must be a ${step === 1 ? 'whole ' : ''}number from ${min} to ${max}`;
          assert.ok(message.startsWith(what), message);
          assert.equal(message.includes(` in steps of ${step}`), step !== 1, message);
        }
      }
  });

  it('name a parameter or an indicator that is not known, with those that are', () => {
    const about = (params: object) => refusal([{ name: 'rsi', params }]);
    assert.equal(
      about({ length: 14 }),
      '"length" is not a parameter of rsi, which takes period (2 to 500, default 14)',
    );
    assert.match(about({ constructor: 14 }), /^"constructor" is not a parameter of rsi/);
    assert.match(refusal([{ name: 'obv', params: { period: 1 } }]), /of obv, which takes none$/);
    const unknown = refusal([{ name: 'toString' }]);
    assert.match(unknown, /^"indicators\[0\]\.name" must be one of \[adx, .*, found "toString"$/);
  });

  it('of one to six indicators have defaults, and the last twenty candles are read', () => {
    const { value, error } = check({ indicators: [{ name: 'rsi' }] });
    assert.equal(error, undefined);
    assert.deepEqual(value.params, {
      indicators: [{ name: 'rsi', params: { period: 14 } }],
      last: 20,
      before: null,
    });
    assert.ok(!check({ indicators: choices.slice(0, 5).concat(choices[0]) }).error);
    for (const bad of [[], Array(7).fill({ name: 'rsi' }), [{ name: 'nope' }], [{}]])
      assert.ok(check({ indicators: bad }).error, JSON.stringify(bad));
    for (const last of [0, 1_001, 1.5]) assert.ok(check({ indicators: [{ name: 'rsi' }], last }).error);
  });

  const check = (params: object) =>
    analysisJob(indicatorValues).payload.validate({ key: {}, digest: 'd', params }, { convert: false });
});
