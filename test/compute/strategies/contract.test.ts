import assert from 'node:assert/strict';
import { paramsOf } from '../../../compute/model/indicator.js';
import { candleColumns, sliceCandles } from '../../../compute/model/candles.js';
import { createRandom } from '../../../compute/model/random.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import {
  strategies,
  strategyNamed,
  strategyNames,
  type StrategyName,
} from '../../../compute/strategies/index.js';
import { computeTargets, target, type Strategy } from '../../../compute/model/strategy.js';
import { copyOf, flatCandles, spikedCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { assertSameBits } from '../../support/numbers/same-bits.js';
import { sourceNames } from '../../support/harness/source-folder.js';

const all = strategies as readonly Strategy<string>[];
const codes: number[] = Object.values(target);

/** Parameters at their defaults, all at their least, all at their most. */
function paramCases({ params }: Strategy<string>): [string, Record<string, number>][] {
  const at = (end: 'min' | 'max') =>
    Object.fromEntries(Object.entries(params).map(([name, spec]) => [name, spec[end]]));
  return [
    ['default', paramsOf(params)],
    ['least', at('min')],
    ['greatest', at('max')],
  ];
}

describe('the registry of strategies', () => {
  it('lists the files of its folder, in the order of the alphabet', () => {
    assert.deepEqual(
      all.map(({ name }) => name.replaceAll('_', '-')),
      sourceNames('compute/strategies'),
    );
  });

  it('names them as the list of names does', () => {
    assert.deepEqual(
      all.map(({ name }) => name),
      strategyNames,
    );
  });

  it('finds each by its name', () => {
    for (const strategy of all) assert.equal(strategyNamed(strategy.name as StrategyName), strategy);
  });
});

for (const strategy of all) {
  describe(`strategy ${strategy.name}`, () => {
    it('describes itself: words, and parameters with a default within their range', () => {
      assert.ok(strategy.title && strategy.rule.endsWith('.'));
      for (const { min, max, default: preset, title } of Object.values(strategy.params))
        assert.ok(min <= preset && preset <= max && title);
    });

    if (strategy.name !== 'buy_and_hold')
      it('buys nothing while price stands still, whatever the rounding of its lines', () => {
        for (let n = 1; n <= 40; n++) {
          const candles = flatCandles(400, n * 0.0173);
          const targets = computeTargets(strategy, candles, paramsOf(strategy.params), new ScratchBuffers());
          assert.ok(!targets.includes(target.long), `at ${n * 0.0173}`);
        }
      });

    for (const [title, params] of paramCases(strategy)) {
      describe(`with ${title} parameters`, () => {
        const ready = strategy.ready(params);
        const length = ready + 300;
        const candles = randomCandles(length, { seed: 21 });

        it('wants flat, long or keep, and nothing but flat before it is ready', () => {
          const series = [candles, flatCandles(length), spikedCandles(length, 20)];
          for (const price of [1e-8, 1e8]) series.push(randomCandles(length, { seed: 22, price }));
          for (const each of series) {
            const targets = computeTargets(strategy, each, params);
            assert.equal(targets.length, length);
            assert.ok(targets.every((code) => codes.includes(code)));
            const before = ready === 0 ? [] : Array.from(targets.subarray(0, ready));
            assert.ok(before.every((code) => code === target.flat));
          }
        });

        it('can speak on the candle on which it is ready', () => {
          const seeds = Array.from({ length: 40 }, (_, seed) => seed);
          const spoken = seeds.map(
            (seed) => computeTargets(strategy, randomCandles(ready + 1, { seed }), params)[ready],
          );
          assert.ok(spoken.some((code) => code !== target.flat));
        });

        it('takes any number of candles, none and one too', () => {
          for (const count of [0, 1, ready, ready + 1])
            assert.equal(computeTargets(strategy, sliceCandles(candles, 0, count), params).length, count);
        });

        it('gives the same prefix for a prefix of the candles', () => {
          const whole = computeTargets(strategy, candles, params);
          const { uint32 } = createRandom(23);
          for (let n = 0; n < 30; n++) {
            const cut = uint32() % (length + 1);
            const part = computeTargets(strategy, sliceCandles(candles, 0, cut), params);
            assertSameBits(part, whole.subarray(0, cut), `cut at ${cut}`);
          }
        });

        it('leaves its input as it is, and gives the same in used memory as in fresh', () => {
          const given = copyOf(candles);
          const scratch = new ScratchBuffers();
          computeTargets(strategy, randomCandles(length + 9, { seed: 24, price: 3e6 }), params, scratch);
          scratch.clear();
          const again = computeTargets(strategy, given, params, scratch);
          assertSameBits(again, computeTargets(strategy, candles, params), 'used memory');
          for (const column of candleColumns) assertSameBits(given[column], candles[column], column);
        });
      });
    }
  });
}
