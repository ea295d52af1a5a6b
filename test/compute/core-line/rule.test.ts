import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { stateCode, stateName } from '../../../compute/model/core-line.js';
import { candleColumns, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { copyOf } from '../../support/candles/odd-candles.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { assertSameBits } from '../../support/numbers/same-bits.js';

/** The rule of spec/core-line.md as it is written there, over the columns computed. */
function statesByTheRule(
  close: Float64Array,
  columns: ReturnType<typeof computeCoreLine>,
): (string | null)[] {
  const { line, atr, adx, pdi, mdi } = columns;
  let [up, down, state] = [0, 0, 'wait'];
  return Array.from(close, (price, i) => {
    if (i < 60) return null;
    const [upper, lower] = [line[i] + 0.5 * atr[i], line[i] - 0.5 * atr[i]];
    up = price > upper && line[i] > line[i - 3] && pdi[i] > mdi[i] ? up + 1 : 0;
    down = price < lower && line[i] < line[i - 3] && mdi[i] > pdi[i] ? down + 1 : 0;
    if (up >= 2 && adx[i] >= 20) state = 'accumulate';
    else if (down >= 2 && adx[i] >= 20) state = 'distribute';
    else if (state === 'accumulate' && (price < lower || adx[i] < 15)) state = 'wait';
    else if (state === 'distribute' && (price > upper || adx[i] < 15)) state = 'wait';
    return state;
  });
}

const outputs = ['line', 'atr', 'adx', 'pdi', 'mdi', 'state'] as const;

const series = fc
  .record({ seed: fc.nat(), count: fc.integer({ min: 0, max: 400 }), price: fc.constantFrom(1e-8, 1, 1e8) })
  .map(({ seed, count, price }) => randomCandles(count, { seed, price }));

describe('computeCoreLine', () => {
  it('follows the rule of the specification on any candles', () => {
    fc.assert(
      fc.property(series, (candles) => {
        const coreLine = computeCoreLine(candles);
        assert.deepEqual(Array.from(coreLine.state, stateName), statesByTheRule(candles.close, coreLine));
      }),
      { seed: 31 },
    );
  });

  it('gives the same prefix for a prefix of the candles, every column bit for bit', () => {
    const candles = demoCandles('PEPE_USDT', '4h');
    const whole = computeCoreLine(candles);
    for (let cut = 0; cut <= candles.time.length; cut += 37) {
      const part = computeCoreLine(sliceCandles(candles, 0, cut));
      for (const name of outputs)
        assertSameBits(part[name], whole[name].subarray(0, cut), `${name} cut at ${cut}`);
    }
  });

  it('leaves its input as it is, and gives the same in used memory as in fresh', () => {
    const candles: Candles = demoCandles('PEPE_USDT', '4h');
    const given = copyOf(candles);
    const scratch = new ScratchBuffers();
    computeCoreLine(randomCandles(2_000), scratch);
    scratch.clear();
    const [used, fresh] = [computeCoreLine(given, scratch), computeCoreLine(candles)];
    for (const name of outputs) assertSameBits(used[name], fresh[name], name);
    for (const column of candleColumns) assertSameBits(given[column], candles[column], column);
  });

  it('has no state before index 60 and one on every candle from there on', () => {
    for (const count of [0, 1, 59, 60, 61, 90]) {
      const { state } = computeCoreLine(randomCandles(count));
      assert.equal(state.length, count);
      assert.ok(state.every((code, i) => (code === stateCode.none) === i < 60));
    }
  });

  it('names every code', () => {
    assert.deepEqual([-2, -1, 0, 1].map(stateName), [null, 'distribute', 'wait', 'accumulate']);
  });
});
