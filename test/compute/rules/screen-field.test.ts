import assert from 'node:assert/strict';
import { editSteps, nearestNames } from '../../../compute/model/nearest-names.js';
import { parseScreenField, screenFieldNames } from '../../../compute/rules/screen-field.js';
import { allIndicators, indicatorByName } from '../../support/candles/indicators-by-name.js';

const parse = (text: string) => parseScreenField(text, 'conditions[0].left');

const indicator = (name: string, output: string, params: Record<string, number>) =>
  ({ kind: 'indicator', indicator: indicatorByName(name), output, params }) as const;

describe('parseScreenField', () => {
  const examples: [text: string, expected: ReturnType<typeof parseScreenField>][] = [
    ['close', { kind: 'price', column: 'close' }],
    [' Volume ', { kind: 'price', column: 'volume' }],
    ['change', { kind: 'change', candles: 1 }],
    ['change_7', { kind: 'change', candles: 7 }],
    ['state', { kind: 'state' }],
    ['days_in_state', { kind: 'days_in_state' }],
    ['rsi_14', indicator('rsi', 'rsi', { period: 14 })],
    ['RSI', indicator('rsi', 'rsi', { period: 14 })],
    ['sma_200', indicator('sma', 'sma', { period: 200 })],
    ['ema_20', indicator('ema', 'ema', { period: 20 })],
    ['macd_12_26_9', indicator('macd', 'macd', { fast: 12, slow: 26, signal: 9 })],
    ['macd_5', indicator('macd', 'macd', { fast: 5, slow: 26, signal: 9 })],
    ['macd_signal_12_26_9', indicator('macd', 'signal', { fast: 12, slow: 26, signal: 9 })],
    ['histogram', indicator('macd', 'histogram', { fast: 12, slow: 26, signal: 9 })],
    ['bollinger_upper_20_2', indicator('bollinger', 'upper', { period: 20, width: 2 })],
    ['bollinger_lower_20_2.5', indicator('bollinger', 'lower', { period: 20, width: 2.5 })],
    ['adx_14', indicator('adx', 'adx', { period: 14 })],
    ['pdi_14', indicator('adx', 'pdi', { period: 14 })],
    ['adx_mdi_10', indicator('adx', 'mdi', { period: 10 })],
    ['psar_0.02_0.2', indicator('psar', 'psar', { step: 0.02, limit: 0.2 })],
    ['williams_r_14', indicator('williams_r', 'williams_r', { period: 14 })],
    ['standard_deviation_20', indicator('standard_deviation', 'deviation', { period: 20 })],
    ['session_vwap', indicator('session_vwap', 'vwap', {})],
    ['rolling_vwap_30', indicator('rolling_vwap', 'vwap', { period: 30 })],
    ['stoch_rsi_k_14_14_3', indicator('stoch_rsi', 'k', { period: 14, range: 14, signal: 3 })],
    ['senkou_a', indicator('ichimoku', 'senkou_a', { tenkan: 9, kijun: 26, senkou: 52, shift: 26 })],
    ['supertrend_direction_10_3', indicator('supertrend', 'direction', { period: 10, width: 3 })],
  ];
  for (const [text, expected] of examples)
    it(`reads "${text}"`, () => {
      assert.deepEqual(parse(text), expected);
    });

  it('reaches every output of every indicator, with defaults and with all parameters at either end', () => {
    for (const each of allIndicators)
      for (const output of each.outputs)
        for (const end of ['min', 'max', 'default'] as const) {
          const params = Object.fromEntries(
            Object.entries(each.params).map(([name, spec]) => [name, spec[end]]),
          );
          const text = [each.name, output, ...Object.values(params)].join('_');
          assert.deepEqual(parse(text), indicator(each.name, output, params), text);
        }
  });

  it('reads every name it lists', () => {
    for (const name of screenFieldNames) assert.ok(parse(name), name);
    assert.equal(new Set(screenFieldNames).size, screenFieldNames.length);
  });

  const theFields =
    '; the fields are open, high, low, close, volume, change, state, days_in_state, and indicators with their parameters, such as rsi_14';
  const refusals: [text: string, message: string][] = [
    ['rsii_14', 'there is no field "rsii_14"; did you mean "rsi_14"?'],
    ['RSI(14)', 'there is no field "rsi(14)"; did you mean "rsi_14"?'],
    ['sma 200', 'there is no field "sma 200"; did you mean "sma_200"?'],
    ['clsoe', 'there is no field "clsoe"; did you mean "close"?'],
    ['closes', 'there is no field "closes"; did you mean "close"?'],
    // "close_1" and "close_3" are no fields either.
    ['close + 1', `there is no field "close + 1"${theFields}`],
    ['close(3)', `there is no field "close(3)"${theFields}`],
    ['rsi(14)(2)', `there is no field "rsi(14)(2)"${theFields}`],
    ['moon_phase', `there is no field "moon_phase"${theFields}`],
    ['', `there is no field ""${theFields}`],
    ['__proto__', `there is no field "__proto__"${theFields}`],
    ['constructor', `there is no field "constructor"${theFields}`],
    ['rsi_1', '"period" in "rsi_1" must be a whole number from 2 to 500, found 1'],
    ['rsi_501', '"period" in "rsi_501" must be a whole number from 2 to 500, found 501'],
    ['rsi_14.5', '"period" in "rsi_14.5" must be a whole number from 2 to 500, found 14.5'],
    ['psar_2', '"step" in "psar_2" must be a number from 0.001 to 1, found 2'],
    ['rsi_14_3', '"rsi_14_3" has too many parameters: it takes at most 1 (period)'],
    ['close_5', '"close_5" has too many parameters: it takes none'],
    ['state_1', '"state_1" has too many parameters: it takes none'],
    ['obv_3', '"obv_3" has too many parameters: it takes none'],
    ['change_0', '"candles" in "change_0" must be a whole number from 1 to 500, found 0'],
    [
      'bollinger_20_2',
      '"bollinger" has the outputs upper, middle, lower: name one, as in "bollinger_upper_20_2"',
    ],
    [
      'upper_20',
      '"upper" is an output of bollinger, donchian, keltner: name one, as in "bollinger_upper_20"',
    ],
    [
      'macd_12_26_9_signal',
      '"macd_12_26_9_signal" has its output behind the parameters: write "macd_signal_12_26_9"',
    ],
  ];
  for (const [text, message] of refusals)
    it(`refuses "${text}"`, () => {
      const name = text.toLowerCase();
      assert.throws(() => parse(text), {
        code: 'invalid_input',
        message,
        details: { field: 'conditions[0].left', name },
      });
    });
});

describe('nearestNames', () => {
  it('counts letters put in, taken out, changed and swapped', () => {
    assert.equal(editSteps('kitten', 'sitting'), 3);
    assert.equal(editSteps('', 'abc'), 3);
    assert.equal(editSteps('abc', ''), 3);
    assert.equal(editSteps('clsoe', 'close'), 1);
    assert.equal(editSteps('same', 'same'), 0);
  });

  it('gives the nearest first, three at most, and none that is far off', () => {
    const known = ['abcxef', 'xbcxef', 'xyzdef', 'abcdeg', 'bacdef'];
    assert.deepEqual(nearestNames('abcdef', known), ['abcdeg', 'abcxef', 'bacdef']);
    assert.deepEqual(nearestNames('abcdef', [...known, 'abcdef']), ['abcdef']);
    assert.deepEqual(nearestNames('abc', ['xyz']), []);
  });
});
