import assert from 'node:assert/strict';
import {
  listIndicatorValues,
  type IndicatorChoice,
  type IndicatorValues,
} from '../../../compute/market/indicator-values.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { indicatorValuesJob } from '../../../jobs/definitions/indicator-values.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { allIndicators } from '../../support/candles/indicators-by-name.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const candles = randomCandles(700);

const list = (indicators: IndicatorChoice[], last = 20, given = candles) =>
  listIndicatorValues({ candles: given, interval: '1h', params: { indicators, last } });

function fieldAndMessage(choices: IndicatorChoice[]): [unknown, string] {
  try {
    list(choices);
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'invalid_input');
    return [error.details.field, error.message];
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
  const points = expectedReadings<Expected, { indicators: IndicatorChoice[]; last: number }>(
    'indicator-values',
    { indicators: choices, last: 12 },
  );

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

  it('takes every value from the least to the greatest in steps, and names the field of any other', () => {
    for (const { name, params } of allIndicators)
      for (const [param, { min, max, step = 1 }] of Object.entries(params)) {
        const ask = (value: unknown) => [{ name: 'rsi' }, { name, params: { [param]: value as number } }];
        for (const value of [min, max, Number((min + 3 * step).toFixed(3))]) list(ask(value), 1);
        for (const value of [min - step, max + step, min + step / 2, NaN, Infinity, '14', null, [14]]) {
          const [field, message] = fieldAndMessage(ask(value));
          assert.equal(field, `indicators[1].params.${param}`, `${name} ${param} ${String(value)}`);
          assert.ok(message.includes(`from ${min} to ${max}`), message);
        }
      }
  });

  it('names a parameter or an indicator that there is not', () => {
    const asked = (params: object): IndicatorChoice[] => [
      { name: 'rsi', params: params as Record<string, number> },
    ];
    assert.deepEqual(fieldAndMessage(asked({ length: 14 })), [
      'indicators[0].params.length',
      '"rsi" has no parameter "length"; it has period',
    ]);
    assert.equal(fieldAndMessage(asked({ constructor: 14 }))[0], 'indicators[0].params.constructor');
    assert.equal(fieldAndMessage([{ name: 'obv', params: { period: 1 } }])[1].split('; ')[1], 'it has none');
    assert.deepEqual(fieldAndMessage([{ name: 'toString' }]), [
      'indicators[0].name',
      'there is no indicator "toString"',
    ]);
  });
});

describe('indicator-values job', () => {
  const check = (params: object) =>
    indicatorValuesJob.payload.validate({ key: {}, digest: 'd', params }, { convert: false });

  it('takes one to six indicators by name, and twenty candles unless told otherwise', () => {
    const { value, error } = check({ indicators: [{ name: 'rsi' }] });
    assert.equal(error, undefined);
    assert.deepEqual(value.params, { indicators: [{ name: 'rsi', params: {} }], last: 20 });
    assert.ok(!check({ indicators: choices.slice(0, 5).concat(choices[0]) }).error);
    for (const bad of [[], Array(7).fill({ name: 'rsi' }), [{ name: 'nope' }], [{}]])
      assert.ok(check({ indicators: bad }).error, JSON.stringify(bad));
    for (const last of [0, 101, 1.5]) assert.ok(check({ indicators: [{ name: 'rsi' }], last }).error);
  });
});
