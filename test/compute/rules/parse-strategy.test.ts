import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AppError } from '../../../compute/model/errors.js';
import { canonicalRules, canonicalText, filledRules } from '../../../compute/rules/canonical-rules.js';
import { parseStrategy, type ParseStrategyOptions } from '../../../compute/rules/parse-strategy.js';
import { rulesInWords } from '../../../compute/rules/rules-in-words.js';
import { anyStrategy } from '../../support/rules/any-strategy.js';

const up = { left: 'close', op: '>', right: 'sma_20' };
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ left: 'close', op: '>', right: n }));
const nested = (deep: number): object => (deep === 1 ? up : { not: nested(deep - 1) });
const ranged = { default: 20, min: 5, max: 50, step: 5 };

/** The faults of the specification, and others of its grammar. */
const faults: [strategy: unknown, field: string, message: string, options?: ParseStrategyOptions][] = [
  [{}, 'strategy', 'a strategy needs "long" or "short"'],
  [null, 'strategy', 'a strategy needs "long" or "short"'],
  [{ size: { percent: 1 } }, 'strategy', 'a strategy needs "long" or "short"'],
  [
    { long: { entry: { any: [{ all: many(16) }, { all: many(16) }, up] } } },
    'strategy',
    'a strategy has at most 32 comparisons, found 33',
  ],
  [
    {
      long: {
        entry: {
          all: Array.from({ length: 3 }, (_, n) => ({
            any: Array.from({ length: 11 }, (_, m) => ({
              left: 'close',
              op: '>',
              right: `sma_${2 + n * 11 + m}`,
            })),
          })),
        },
      },
    },
    'strategy',
    'a strategy has at most 32 comparisons, found 33',
  ],
  [
    {
      long: {
        entry: {
          all: Array.from({ length: 16 }, (_, n) => ({
            left: `sma_${n + 2}`,
            op: '>',
            right: `ema_${n + 2}`,
          })),
        },
        exit: { left: 'close', op: '<', right: 'rsi' },
      },
    },
    'strategy',
    'a strategy has at most 32 columns, found 34',
  ],
  [{ long: { exit: up } }, 'strategy.long.entry', '"entry" is missing'],
  [
    { long: { entry: 5 } },
    'strategy.long.entry',
    'expected {left, op, right}, {all: [...]}, {any: [...]} or {not: {...}}',
  ],
  [
    { long: { entry: { ...up, not: up } } },
    'strategy.long.entry',
    'expected {left, op, right}, {all: [...]}, {any: [...]} or {not: {...}}',
  ],
  [
    { long: { entry: { left: 'close', op: '>' } } },
    'strategy.long.entry',
    'expected {left, op, right}, {all: [...]}, {any: [...]} or {not: {...}}',
  ],
  [
    { short: { entry: nested(6) } },
    'strategy.short.entry.not.not.not.not.not',
    'conditions are nested deeper than 5',
  ],
  [{ long: { entry: { all: [] } } }, 'strategy.long.entry.all', 'expected 1 to 16 conditions, found 0'],
  [
    { long: { entry: { any: many(17) } } },
    'strategy.long.entry.any',
    'expected 1 to 16 conditions, found 17',
  ],
  [
    { long: { entry: { ...up, why: 1 } } },
    'strategy.long.entry.why',
    '"why" is not known here; expected left, op, right',
  ],
  [
    { long: { entry: up, stop: {} } },
    'strategy.long.stop',
    '"stop" is not known here; expected entry, exit, stopLoss, takeProfit, trailingStop, maxCandles',
  ],
  [
    { long: { entry: up }, name: 'x' },
    'strategy.name',
    '"name" is not known here; expected params, long, short, size',
  ],
  [
    { long: { entry: up, stopLoss: { percent: 5, atr: 2 } } },
    'strategy.long.stopLoss',
    'expected one of percent, atr, found percent, atr',
  ],
  [
    { long: { entry: up, stopLoss: {} } },
    'strategy.long.stopLoss',
    'expected one of percent, atr, found none',
  ],
  [
    { long: { entry: up, stopLoss: { percent: -5 } } },
    'strategy.long.stopLoss.percent',
    '"percent" must be above 0 and below 100, found -5',
  ],
  [
    { long: { entry: up, stopLoss: { percent: 5, period: 14 } } },
    'strategy.long.stopLoss.period',
    '"period" is not known here; expected percent',
  ],
  [
    { long: { entry: up, trailingStop: { atr: 2, period: 0 } } },
    'strategy.long.trailingStop.period',
    '"period" must be a whole number from 1 to 500, found 0',
  ],
  [
    { long: { entry: up, maxCandles: 1.5 } },
    'strategy.long.maxCandles',
    '"maxCandles" must be a whole number from 1 to 100000, found 1.5',
  ],
  [
    { long: { entry: up }, size: { riskPercent: 1 } },
    'strategy.size.riskPercent',
    '"riskPercent" needs a stopLoss for long',
  ],
  [{ long: { entry: up, takeProfit: { r: 2 } } }, 'strategy.long.takeProfit.r', '"r" needs a stopLoss'],
  [
    { long: { entry: { all: [up, { ...up, op: '==' }] } } },
    'strategy.long.entry.all[1].op',
    '"op" must be one of <, <=, >, >=, =, crosses_above, crosses_below, found "=="',
  ],
  [
    { long: { entry: { left: 'state', op: '>', right: 'wait' } } },
    'strategy.long.entry.op',
    '"state" is compared with "=", not with ">"',
  ],
  [
    { long: { entry: { ...up, right: 'wait' } } },
    'strategy.long.entry.right',
    '"wait" can only stand on the right of "state ="',
  ],
  [
    { long: { entry: { left: 'state * 2', op: '=', right: 'wait' } } },
    'strategy.long.entry.left',
    '"state" can\'t be multiplied: it is no number',
  ],
  [
    { long: { entry: { ...up, left: 'rsii_14[2]' } } },
    'strategy.long.entry.left',
    'there is no field "rsii_14"; did you mean "rsi_14"?',
  ],
  [
    { long: { entry: { ...up, left: 'rsi_1' } } },
    'strategy.long.entry.left',
    '"period" in "rsi_1" must be a whole number from 2 to 500, found 1',
  ],
  [
    { long: { entry: { ...up, left: 30 } } },
    'strategy.long.entry.left',
    'expected a column such as rsi_14, found 30',
  ],
  [
    { long: { entry: { ...up, right: 'close[501]' } } },
    'strategy.long.entry.right',
    '"close[501]" goes back more than 500 candles',
  ],
  [
    { long: { entry: { ...up, right: 'ema_20@1h' } } },
    'strategy.long.entry.right',
    '"@1h" must be longer than the interval 4h',
    { interval: '4h' },
  ],
  [
    { long: { entry: { ...up, right: 'close@2h' } } },
    'strategy.long.entry.right',
    '"@2h" must be one of @15m, @1h, @4h, @1d',
  ],
  [
    { params: { fast: ranged }, long: { entry: { left: 'ema_{fast}', op: '>', right: 'ema_{slow}' } } },
    'strategy.long.entry.right',
    'there is no parameter "slow"; the strategy has fast',
  ],
  [{ params: { slow: ranged }, long: { entry: up } }, 'strategy.params.slow', '"slow" is never used'],
  [
    { params: { fast: { ...ranged, default: 51 } }, long: { entry: { ...up, left: 'ema_{fast}' } } },
    'strategy.params.fast.default',
    '"default" must be from 5 to 50, found 51',
  ],
  [
    { params: { fast: ranged }, long: { entry: { ...up, left: 'ema_{fast}' } } },
    'params.fast',
    '"fast" must be from 5 to 50, found 80',
    { params: { fast: 80 } },
  ],
  [
    { params: { fast: ranged }, long: { entry: { ...up, left: 'ema_{fast}' } } },
    'params.fast',
    '"fast" must be from 5 to 50 in steps of 5, found 12',
    { params: { fast: 12 } },
  ],
  // Of several faults the first in the order of the text, whatever the order of keys.
  [
    { long: { exit: { ...up, op: '!' }, entry: 5 } },
    'strategy.long.exit.op',
    '"op" must be one of <, <=, >, >=, =, crosses_above, crosses_below, found "!"',
  ],
  [
    { long: { entry: { op: '!', left: 'x', right: 1 } } },
    'strategy.long.entry.op',
    '"op" must be one of <, <=, >, >=, =, crosses_above, crosses_below, found "!"',
  ],
  [{ size: { amount: 0 }, long: 5 }, 'strategy.size.amount', '"amount" must be at least 1, found 0'],
];

describe('parseStrategy', () => {
  for (const [strategy, field, message, options] of faults)
    it(`says at ${field}: ${message}`, () => {
      assert.throws(
        () => parseStrategy(strategy, options),
        (error) => {
          assert.ok(error instanceof AppError);
          assert.deepEqual([error.message, error.details.field], [message, field]);
          return true;
        },
      );
    });

  it('fills parameters in before it parses', () => {
    const strategy = {
      params: { fast: ranged, stop: { default: 2, min: 1, max: 4, step: 0.5 } },
      long: { entry: { left: 'EMA_{fast}[1]', op: '>', right: 'close*{stop}' }, stopLoss: { atr: '{stop}' } },
    };
    const rules = parseStrategy(strategy, { params: { stop: 2.5 } });
    assert.deepEqual(
      rules.columns.map(({ name }) => name),
      ['ema_20[1]', 'close * 2.5'],
    );
    assert.deepEqual(rules.long!.stopLoss, { unit: 'atr', value: 2.5, period: 14 });
    assert.deepEqual(filledRules(strategy, rules), {
      long: { entry: { left: 'ema_20[1]', op: '>', right: 'close * 2.5' }, stopLoss: { atr: 2.5 } },
    });
  });

  it('says the rules in plain English', () => {
    const rules = parseStrategy({
      long: {
        entry: {
          all: [
            { left: 'state@1d', op: '=', right: 'accumulate' },
            { any: [up, { left: 'rsi_14[2]', op: 'crosses_above', right: '30' }] },
          ],
        },
        stopLoss: { atr: 2 },
        takeProfit: { r: 2 },
        trailingStop: { percent: 5, after: 3 },
      },
      short: { entry: { not: { left: 'volume', op: '>', right: 'volume_sma_20 * 2.5' } } },
    });
    assert.deepEqual(rulesInWords(rules), [
      'Buy at the next open when state of the last closed 1d candle is accumulate and (close is above sma_20 or rsi_14 2 candles earlier crosses above 30).',
      'Stop 2 x ATR(14) below the entry.',
      'Trail a stop 5 % below the best price of the candles before, once that is 3 % in profit.',
      'Take profit 2 times the distance of the stop above the entry.',
      'Sell short at the next open when not (volume is above 2.5 x volume_sma_20).',
      'There is no exit: the short position is held to the end.',
      'Each position takes an equal part of the account.',
    ]);
  });
});

describe('canonicalRules', () => {
  it('is the same for every spelling of the same rules', () => {
    fc.assert(
      fc.property(anyStrategy, fc.infiniteStream(fc.nat()), (strategy, choices) => {
        const next = () => choices.next().value as number;
        assert.equal(canonicalText(respell(strategy, next)), canonicalText(strategy));
      }),
    );
  });

  it('keeps its meaning and is its own canonical form', () => {
    fc.assert(
      fc.property(anyStrategy, (strategy) => {
        const canonical = canonicalRules(strategy);
        assert.deepEqual(parseStrategy(canonical), parseStrategy(strategy));
        assert.equal(canonicalText(canonical), JSON.stringify(canonical));
      }),
    );
  });
});

/** The same rules with other orders of keys, letter cases, blanks and forms of numbers. */
function respell(value: unknown, next: () => number): unknown {
  if (typeof value === 'string')
    return /[{]|^(<|>|=|crosses)/.test(value)
      ? value
      : (next() % 2 ? value.toUpperCase() : value).replace(' * ', next() % 2 ? '*' : '  * ');
  if (Array.isArray(value)) return value.map((each) => respell(each, next));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [
    key,
    key === 'right' && typeof part === 'number' ? ` ${part}` : respell(part, next),
  ]);
  const turned = next() % 2 ? entries.toReversed() : entries;
  return Object.fromEntries(turned);
}
