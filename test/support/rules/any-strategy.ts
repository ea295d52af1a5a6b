import fc from 'fast-check';
import { screenOps } from '../../../compute/rules/screen-condition.js';

const names = [
  'close',
  'open',
  'high',
  'low',
  'volume',
  'sma_5',
  'ema_3',
  'rsi_4',
  'change_2',
  'bollinger_upper_5_2',
  'days_in_state',
  'donchian_lower_4',
];

const column = fc
  .record({
    name: fc.constantFrom(...names),
    longer: fc.constantFrom('', '', '', '@4h', '@1d'),
    back: fc.constantFrom('', '', '[1]', '[3]'),
    factor: fc.constantFrom('', '', ' * 1.01', ' * 0.99'),
  })
  .map(({ name, longer, back, factor }) => name + longer + back + factor);

const comparison = fc.oneof(
  { weight: 5, arbitrary: fc.record({ left: column, op: fc.constantFrom(...screenOps), right: column }) },
  {
    weight: 2,
    arbitrary: fc.record({
      left: column,
      op: fc.constantFrom(...screenOps),
      right: fc.oneof(fc.integer({ min: -5, max: 100 }), fc.constantFrom(0.5, 99.5)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      left: fc.constantFrom('state', 'state[1]', 'state@1d'),
      op: fc.constant('='),
      right: fc.constantFrom('accumulate', 'wait', 'distribute'),
    }),
  },
);

/** A condition at most three deep. */
const anyCondition: fc.Arbitrary<object> = fc.letrec<{ node: object }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    { weight: 4, arbitrary: comparison },
    { weight: 1, arbitrary: fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ not: tie('node') }) },
  ),
})).node;

const percent = fc.constantFrom(0.3, 1, 2.5, 8);
const atr = fc.record(
  { atr: fc.constantFrom(0.5, 1, 2.5), period: fc.constantFrom(2, 5, 14) },
  { requiredKeys: ['atr'] },
);
const stopLoss = fc.oneof(fc.record({ percent }), atr);
const after = fc.constantFrom(0, 0.5, 1);
const trailingStop = fc.oneof(
  fc.record({ percent, after }, { requiredKeys: ['percent'] }),
  fc.tuple(atr, after).map(([distance, after]) => ({ ...distance, after })),
);

/** One direction; with a stop where sizes need it. */
const side = (needsStop: boolean) =>
  fc.record(
    {
      entry: anyCondition,
      exit: anyCondition,
      stopLoss,
      takeProfit: fc.oneof(fc.record({ percent }), atr, ...(needsStop ? [fc.record({ r: percent })] : [])),
      trailingStop,
      maxCandles: fc.integer({ min: 1, max: 12 }),
    },
    { requiredKeys: needsStop ? ['entry', 'stopLoss'] : ['entry'] },
  );

const size = fc.oneof(
  fc.record({ percent: fc.constantFrom(10, 50, 100) }),
  fc.record({ amount: fc.constantFrom(100, 4000, 1_000_000) }),
  fc.record({ volatilityPercent: fc.constantFrom(5, 40, 300), period: fc.constantFrom(2, 7, 30) }),
);

/** Strategies of every kind for candles of 1h, with a few comparisons each. */
export const anyStrategy: fc.Arbitrary<object> = fc.oneof(
  fc.record({ long: side(false), size }, { requiredKeys: ['long'] }),
  fc.record({ short: side(false), size }, { requiredKeys: ['short'] }),
  fc.record({ long: side(false), short: side(false), size }, { requiredKeys: ['long', 'short'] }),
  fc.record({
    long: side(true),
    short: side(true),
    size: fc.record({ riskPercent: fc.constantFrom(0.5, 2, 30) }),
  }),
);
