import assert from 'node:assert/strict';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import type { Interval } from '../../../compute/model/interval.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import type { MarketQuestion, PairCandles } from '../../../compute/task.js';
import { analysisNamed, type AnalysisName } from '../../../compute/analyses.js';
import { tasks } from '../../../compute/tasks.js';
import { unexplainedNulls } from '../../support/numbers/null-reasons.js';
import { selfEvidentOf } from '../../support/numbers/self-evident-nulls.js';
import { copyOf, flatCandles, frozenCandles, spikedCandles } from '../../support/candles/odd-candles.js';
import { candlesAt, candlesWhere, pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';

/** Every reading of a market, with settings that reach most of it. */
const readings: [task: string, interval: Interval, params: object][] = [
  ['anomalies', '1h', { minZ: 1, withinCandles: 48, limit: 100 }],
  ['breadth', '1h', { limit: 365 }],
  ['correlation-matrix', '1h', { assets: ['BTC', 'ETH'], window: 90 }],
  ['market-overview', '1h', {}],
  ['movers', '1h', { window: '24h', rankBy: 'volume', minQuoteVolume: 0, limit: 50 }],
  ['movers', '1h', { window: '30d', rankBy: 'gain', minQuoteVolume: 0, limit: 50 }],
  ['pair-relationship', '1h', { asset: 'BTC', secondAsset: 'ETH', window: 180 }],
  [
    'portfolio-risk',
    '1d',
    {
      positions: [
        { asset: 'BTC', quantity: 1 },
        { asset: 'ETH', quantity: 2 },
      ],
      changes: [{ asset: 'ETH', quantityDelta: -3 }],
      prices: [],
    },
  ],
  [
    'screen',
    '1h',
    {
      conditions: [
        { left: 'rsi_14', op: '>=', right: '0' },
        { left: 'close', op: 'crosses_above', right: 'sma_20' },
        { left: 'days_in_state', op: '>', right: '0' },
        { left: 'cmf', op: '<', right: 'stoch_rsi_k' },
        { left: 'change', op: '>', right: 'natr' },
        { left: 'volume', op: '=', right: 'obv' },
      ],
      join: 'or',
      sortBy: '-rolling_vwap',
      limit: 100,
    },
  ],
];

const dry = (candles: Candles): Candles => ({ ...candles, volume: new Float64Array(candles.time.length) });
const priced = (price: number, seed: number) => randomCandles(300, { seed, price });

/** Two or more pairs each, all of them odd in one way. */
const markets: Record<string, Record<string, Candles>> = {
  'of one candle': { BTC: randomCandles(1), ETH: randomCandles(1, { seed: 2 }) },
  'of two candles': { BTC: randomCandles(2), ETH: randomCandles(2, { seed: 2 }) },
  'of sixty candles': { BTC: randomCandles(60), ETH: randomCandles(60, { seed: 2 }) },
  'where one pair is empty': { BTC: randomCandles(300), ETH: candlesAt([]) },
  'that never meets': {
    BTC: candlesWhere(priced(5, 1), (i) => i % 2 === 0),
    ETH: candlesWhere(priced(5, 2), (i) => i % 2 === 1),
  },
  'without movement': { BTC: flatCandles(300), ETH: flatCandles(300, 0.1) },
  'that froze': { BTC: frozenCandles(300, 150), ETH: frozenCandles(300, 10) },
  'with a spike': { BTC: spikedCandles(300, 250), ETH: randomCandles(300, { seed: 2 }) },
  'without volume': { BTC: dry(priced(1, 1)), ETH: dry(priced(1, 2)) },
  'of tiny prices': { BTC: priced(1e-8, 1), ETH: priced(1e-8, 2) },
  'of huge prices': { BTC: priced(1e8, 1), ETH: priced(1e8, 2) },
  'of tiny and huge prices': { BTC: priced(1e8, 1), ETH: priced(1e-8, 2) },
  'of one price twice': { BTC: priced(10, 1), ETH: priced(10, 1) },
  'with gaps': {
    BTC: candlesWhere(priced(1, 1), (i) => i % 7 < 5),
    ETH: candlesWhere(priced(1, 2), (i) => i % 11 < 9),
  },
  'where one is young': { BTC: priced(1, 1), ETH: sliceCandles(priced(1, 2), 260, 300) },
  'where one has ended': { BTC: priced(1, 1), ETH: sliceCandles(priced(1, 2), 0, 250) },
};

type AnyTask = { name: string; run: (question: MarketQuestion, scratch?: ScratchBuffers) => unknown };

/** The answer, or the code of the error that says why there is none. */
function ask(name: string, question: MarketQuestion, scratch?: ScratchBuffers): unknown {
  const task = (tasks as unknown as readonly AnyTask[]).find((each) => each.name === name)!;
  try {
    return task.run(question, scratch);
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return error.code;
  }
}

const copyPairs = (pairs: readonly PairCandles[]) =>
  pairs.map((pair) => ({ ...pair, candles: copyOf(pair.candles) }));

for (const [name, interval, params] of readings)
  describe(`the reading ${name} ${JSON.stringify(params).slice(0, 30)}`, () => {
    for (const [oddity, candles] of Object.entries(markets))
      it(`is plain data or a clear refusal on a market ${oddity}`, () => {
        const pairs = pairsOf(candles);
        const before = copyPairs(pairs);
        const answer = ask(name, { pairs, interval, params });
        if (typeof answer === 'string') assert.match(answer, /^(not_enough_history|invalid_input)$/);
        // What JSON lacks (NaN, Infinity, undefined) would not come back.
        else {
          assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
          const { output } = analysisNamed(name as AnalysisName);
          assert.deepEqual(unexplainedNulls(output, answer, selfEvidentOf(name)), []);
        }
        assert.deepEqual(pairs, before);
        const scratch = new ScratchBuffers();
        scratch.column(1_000).fill(1e300);
        scratch.clear();
        assert.deepEqual(ask(name, { pairs, interval, params }, scratch), answer);
      });

    it('answers most of them', () => {
      const answers = Object.values(markets).map((candles) =>
        ask(name, { pairs: pairsOf(candles), interval, params }),
      );
      assert.ok(answers.filter((answer) => typeof answer !== 'string').length >= 10);
    });

    it('refuses a market without pairs', () => {
      assert.match(
        String(ask(name, { pairs: [], interval, params })),
        /^(not_enough_history|invalid_input)$/,
      );
    });
  });
