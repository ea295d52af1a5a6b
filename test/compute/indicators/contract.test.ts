import assert from 'node:assert/strict';
import {
  computeIndicator,
  paramsOf,
  type Indicator,
  type PriceColumn,
} from '../../../compute/model/indicator.js';
import { indicators } from '../../../compute/indicators/index.js';
import { candleColumns, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { createRandom } from '../../../compute/model/random.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { copyOf, flatCandles, frozenCandles, spikedCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { assertSameBits } from '../../support/numbers/same-bits.js';
import { sourceNames } from '../../support/harness/source-folder.js';

type AnyIndicator = Indicator<PriceColumn, string, string>;
type Params = Record<string, number>;

const all = indicators as unknown as readonly AnyIndicator[];
const columns: readonly string[] = candleColumns;

/** Parameters at their defaults, all at their least, all at their most. */
function paramCases({ params }: AnyIndicator): [string, Params][] {
  const at = (end: 'min' | 'max') =>
    Object.fromEntries(Object.entries(params).map(([name, spec]) => [name, spec[end]]));
  return [
    ['default', paramsOf(params)],
    ['least', at('min')],
    ['greatest', at('max')],
  ];
}

const lastWarmup = (indicator: AnyIndicator, params: Params) =>
  Math.max(...indicator.outputs.map((output) => indicator.warmup(params, output)));

/** Every output is NaN before its warm-up and finite from there on. */
function assertHonestWarmup(indicator: AnyIndicator, candles: Candles, params: Params): void {
  const out = computeIndicator(indicator, candles, params);
  assert.deepEqual(Object.keys(out), [...indicator.outputs]);
  for (const output of indicator.outputs) {
    const warmup = indicator.warmup(params, output);
    assert.equal(out[output].length, candles.close.length);
    out[output].forEach((value, i) => {
      const asked = i < warmup ? Number.isNaN(value) : Number.isFinite(value);
      assert.ok(asked, `${output} at ${i} of ${candles.close.length}, warm-up ${warmup}: ${value}`);
    });
  }
}

function assertSameOutputs(
  actual: Record<string, Float64Array>,
  expected: Record<string, Float64Array>,
  what: string,
): void {
  for (const output of Object.keys(expected))
    assertSameBits(actual[output], expected[output], `${what}: ${output}`);
}

describe('the registry of indicators', () => {
  it('lists the files of its folder, in the order of the alphabet', () => {
    assert.deepEqual(
      all.map(({ name }) => name.replaceAll('_', '-')),
      sourceNames('compute/indicators'),
    );
  });
});

for (const indicator of all) {
  describe(`indicator ${indicator.name}`, () => {
    it('describes itself: words, known inputs, outputs once each, defaults within their range', () => {
      assert.ok(indicator.title && indicator.reference);
      assert.ok(indicator.inputs.length > 0 && indicator.inputs.every((input) => columns.includes(input)));
      assert.ok(indicator.outputs.length > 0);
      assert.equal(new Set(indicator.outputs).size, indicator.outputs.length);
      for (const { min, max, default: preset, title } of Object.values(indicator.params))
        assert.ok(min <= preset && preset <= max && title);
    });

    for (const [title, params] of paramCases(indicator)) {
      describe(`with ${title} parameters`, () => {
        const warmup = lastWarmup(indicator, params);
        const length = warmup + 300;
        const candles = randomCandles(length, { seed: 7 });

        it('has no value before the warm-up and a finite one from there on, however many candles', () => {
          for (const count of [0, 1, 2, warmup - 1, warmup, warmup + 1, warmup + 2, length])
            assertHonestWarmup(indicator, sliceCandles(candles, 0, Math.max(0, count)), params);
        });

        it('gives the same prefix for a prefix of the candles, bit for bit', () => {
          const whole = computeIndicator(indicator, candles, params);
          const { uint32 } = createRandom(11);
          for (let n = 0; n < 30; n++) {
            const cut = uint32() % (length + 1);
            const part = computeIndicator(indicator, sliceCandles(candles, 0, cut), params);
            for (const output of indicator.outputs)
              assertSameBits(part[output], whole[output].subarray(0, cut), `${output} cut at ${cut}`);
          }
        });

        it('leaves its input as it is', () => {
          const given = copyOf(candles);
          computeIndicator(indicator, given, params);
          for (const column of candleColumns) assertSameBits(given[column], candles[column], column);
        });

        it('writes nothing before the warm-up, nor anything at all of too few candles', () => {
          for (const count of [0, 1, warmup, length]) {
            const given = sliceCandles(candles, 0, count);
            const marked = indicator.outputs.map(
              (output) => [output, new Float64Array(count).fill(-777)] as const,
            );
            indicator.fill(given, params, Object.fromEntries(marked));
            for (const [output, column] of marked) {
              const before = column.subarray(0, indicator.warmup(params, output));
              assert.ok(
                before.every((value) => value === -777),
                `${output} of ${count} candles`,
              );
            }
          }
        });

        it('gives the same in used memory as in fresh', () => {
          const scratch = new ScratchBuffers();
          const other = randomCandles(length + 50, { seed: 8, price: 3e6 });
          for (const count of [length + 50, 20, length]) {
            scratch.clear();
            computeIndicator(indicator, sliceCandles(other, 0, count), params, scratch);
          }
          scratch.clear();
          const again = computeIndicator(indicator, candles, params, scratch);
          assertSameOutputs(again, computeIndicator(indicator, candles, params), 'used memory');
        });

        const readsTime = (indicator.inputs as readonly string[]).includes('time');
        if (!readsTime)
          it('reads prices by their order, not by their time: a gap changes nothing', () => {
            const gapped = copyOf(candles);
            for (let i = 100; i < length; i++) gapped.time[i] += 86_400_000 * (i % 7);
            assertSameOutputs(
              computeIndicator(indicator, gapped, params),
              computeIndicator(indicator, candles, params),
              'gaps',
            );
          });

        it('is finite for prices of 1e-8 and of 1e8', () => {
          for (const price of [1e-8, 1e8])
            assertHonestWarmup(indicator, randomCandles(length, { seed: 9, price }), params);
        });

        it('is finite where nothing is traded, or NaN where it needs volume', () => {
          const quiet = copyOf(candles);
          quiet.volume.fill(0);
          if (!indicator.needsVolume) return assertHonestWarmup(indicator, quiet, params);
          for (const column of Object.values(computeIndicator(indicator, quiet, params)))
            assert.ok(column.every(Number.isNaN));
        });

        it('is finite and stands still where price never moves', () => {
          const flat = flatCandles(length);
          flat.volume.fill(1);
          assertHonestWarmup(indicator, flat, params);
          const out = computeIndicator(indicator, flat, params);
          for (const output of indicator.outputs) {
            const values = out[output].subarray(indicator.warmup(params, output));
            const still = values.every((value) => Math.abs(value - values[0]) <= 1e-9 * Math.abs(values[0]));
            assert.ok(still, output);
          }
        });

        it('stays finite where price freezes for 12,000 candles', () => {
          assertHonestWarmup(indicator, frozenCandles(length + 12_000, length), params);
        });

        it('stays finite after a spike that swallows the moves around it', () => {
          assertHonestWarmup(indicator, spikedCandles(length + 1_500, 40), params);
        });
      });
    }
  });
}

describe('indicators of a price that never moves', () => {
  const [last, flat] = [199, flatCandles(200, 0.1)];
  const values = (name: string) => {
    const out = computeIndicator(
      all.find((each) => each.name === name)!,
      flat,
    );
    return Object.values(out).map((column) => column[last]);
  };

  it('are that price for averages', () => {
    assert.deepEqual(values('kama'), [0.1]);
    assert.ok(Math.abs(values('ema')[0] - 0.1) < 1e-15);
  });

  it('are 0 for reach and direction', () => {
    assert.deepEqual(values('atr'), [0]);
    assert.deepEqual(values('adx'), [0, 0, 0]);
  });
});
