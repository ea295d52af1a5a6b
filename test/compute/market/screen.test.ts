import assert from 'node:assert/strict';
import fc from 'fast-check';
import { viewCoreLine } from '../../../compute/core-line/core-line-tasks.js';
import { computeIndicator } from '../../../compute/model/indicator.js';
import {
  screenOps,
  type ScreenConditionText,
  type ScreenOp,
} from '../../../compute/rules/screen-condition.js';
import { screen, type ScreenParams } from '../../../compute/market/screen.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import type { PairCandles } from '../../../compute/task.js';
import { indicatorByName } from '../../support/candles/indicators-by-name.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { candlesAt, pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const dayMs = 86_400_000;
const endMs = Date.UTC(2024, 8, 1);
const ofAge = (seed: number, count: number) =>
  randomCandles(count, { seed, stepMs: dayMs, startMs: endMs - count * dayMs });

const run = (
  pairs: readonly PairCandles[],
  conditions: string[],
  given: Partial<ScreenParams> = {},
  scratch?: ScratchBuffers,
) =>
  screen.run(
    {
      pairs,
      interval: '1d',
      params: { conditions: conditions.map(asCondition), join: 'and', sortBy: null, limit: 100, ...given },
    },
    scratch,
  );

function asCondition(text: string): ScreenConditionText {
  const [left, op, right] = text.split(' ');
  return { left, op: op as ScreenOp, right };
}

const market = pairsOf({
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`A${String(n).padStart(2, '0')}`, ofAge(n + 1, 260)]),
  ),
  YOUNG: ofAge(50, 120),
  NEW: ofAge(51, 1),
  STALE: sliceCandles(ofAge(52, 300), 0, 290),
});
const live = market.filter(({ asset }) => asset !== 'STALE');
const names = (rows: readonly { asset: string }[]) => rows.map(({ asset }) => asset);

const last = (
  candles: Candles,
  name: string,
  params: Record<string, number>,
  output = name,
  back = 1,
): number => computeIndicator(indicatorByName(name), candles, params)[output].at(-back)!;

describe('screen', () => {
  it('finds the assets whose indicators satisfy all conditions, and shows the values', () => {
    const found = run(market, ['rsi_14 < 50', 'close > sma_200']);
    const expected = live.filter(({ candles }) => {
      const [speed, mean] = [last(candles, 'rsi', { period: 14 }), last(candles, 'sma', { period: 200 })];
      return speed < 50 && candles.close.at(-1)! > mean;
    });
    assert.ok(expected.length > 0 && expected.length < 25);
    assert.deepEqual(
      found.rows,
      expected.map(({ asset, candles }) => ({
        asset,
        values: {
          rsi_14: last(candles, 'rsi', { period: 14 }),
          close: candles.close.at(-1),
          sma_200: last(candles, 'sma', { period: 200 }),
        },
        before: {},
        held: [0, 1],
      })),
    );
    assert.deepEqual(
      [found.asOf, found.assets, found.stale, found.skipped, found.matched],
      [endMs, 32, 1, 2, expected.length],
    );
  });

  it('joins by or: what cannot be judged does not hold, and skips only who does not match otherwise', () => {
    const found = run(market, ['rsi_14 < 50', 'close > sma_200'], { join: 'or' });
    const held = live.map(({ asset, candles }) => {
      const speed = last(candles, 'rsi', { period: 14 }) < 50;
      const above = candles.close.at(-1)! > last(candles, 'sma', { period: 200 });
      return { asset, held: [speed, above].flatMap((each, n) => (each ? [n] : [])) };
    });
    const matching = held.filter((each) => each.held.length > 0);
    assert.deepEqual(
      found.rows.map((row) => ({ asset: row.asset, held: row.held })),
      matching,
    );
    const young = matching.some(({ asset }) => asset === 'YOUNG');
    assert.equal(found.skipped, young ? 1 : 2);
    if (young) assert.equal(found.rows.find(({ asset }) => asset === 'YOUNG')!.values.sma_200, null);
  });

  it('compares fields as a plain comparison of last and previous candle does, for every operator', () => {
    const plain: Record<ScreenOp, (a: number[], b: number[]) => boolean> = {
      '<': ([a], [b]) => a < b,
      '<=': ([a], [b]) => a <= b,
      '>': ([a], [b]) => a > b,
      '>=': ([a], [b]) => a >= b,
      '=': ([a], [b]) => a === b,
      crosses_above: ([a, aBefore], [b, bBefore]) => aBefore <= bBefore && a > b,
      crosses_below: ([a, aBefore], [b, bBefore]) => aBefore >= bBefore && a < b,
    };
    const price = fc.constantFrom(1, 2, 3);
    fc.assert(
      fc.property(
        fc.constantFrom(...screenOps),
        fc.array(fc.tuple(price, price), { minLength: 2, maxLength: 2 }),
        (op, prices) => {
          const candles = candlesAt(prices.map(([close]) => close));
          prices.forEach(([, open], i) => (candles.open[i] = open));
          const newest = (column: Float64Array) => [column[1], column[0]];
          const { matched } = run(pairsOf({ A: candles }), [`close ${op} open`]);
          assert.equal(matched, Number(plain[op](newest(candles.close), newest(candles.open))));
          const level = run(pairsOf({ A: candles }), [`close ${op} 2`]).matched;
          assert.equal(level, Number(plain[op](newest(candles.close), [2, 2])));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('shows both candles of a cross', () => {
    const found = run(market, ['macd crosses_above macd_signal']);
    const expected = live.filter(({ candles }) => {
      const gap = (back: number) =>
        last(candles, 'macd', {}, 'macd', back) - last(candles, 'macd', {}, 'signal', back);
      return gap(2) <= 0 && gap(1) > 0;
    });
    assert.deepEqual(names(found.rows), names(expected));
    assert.ok(expected.length > 0);
    const [{ asset, values, before }] = found.rows;
    const { candles } = market.find((pair) => pair.asset === asset)!;
    assert.deepEqual(values, {
      macd: last(candles, 'macd', {}),
      macd_signal: last(candles, 'macd', {}, 'signal'),
    });
    assert.deepEqual(before, {
      macd: last(candles, 'macd', {}, 'macd', 2),
      macd_signal: last(candles, 'macd', {}, 'signal', 2),
    });
  });

  it('knows the trend state and for how many days it has lasted', () => {
    const views = live.map(({ asset, candles }) => ({ asset, view: viewCoreLine(candles, '1d') }));
    for (const state of ['accumulate', 'wait', 'distribute'] as const) {
      const found = run(market, [`state = ${state}`, 'days_in_state <= 10']);
      const days = ({ since, asOf }: (typeof views)[number]['view']) => (asOf - since!) / dayMs;
      const expected = views.filter(({ view }) => view.state === state && days(view) <= 10);
      assert.deepEqual(
        found.rows.map(({ asset, values }) => ({ asset, ...values })),
        expected.map(({ asset, view }) => ({ asset, state, days_in_state: days(view) })),
      );
    }
    assert.equal(run(market, ['state = Accumulate']).skipped, 1);
    // Prices that never move are in wait from the first candle that has a state, the 61st.
    const still = pairsOf({ FLAT: candlesAt(Array<number>(300).fill(7)) });
    assert.deepEqual(run(still, ['state = wait', 'days_in_state > 0']).rows[0].values, {
      state: 'wait',
      days_in_state: 240,
    });
  });

  it('knows the change of one candle and of several, in percent', () => {
    const candles = candlesAt([100, 50, 100, 110]);
    const { rows } = run(pairsOf({ A: candles }), ['change > 9', 'change_3 > 9', 'change_2 > 119'], {
      join: 'or',
    });
    const { change, change_3, change_2 } = rows[0].values as Record<string, number>;
    assert.deepEqual(
      [change, change_3, change_2].map((value) => Math.round(value * 1e9) / 1e9),
      [10, 10, 120],
    );
    assert.equal(run(pairsOf({ A: candles }), ['change_4 > 0']).skipped, 1);
  });

  it('skips an asset one candle before a field has its first value, two for a cross', () => {
    const with_ = (count: number, condition: string) =>
      run(pairsOf({ A: ofAge(1, count) }), [condition]).skipped;
    assert.deepEqual([with_(49, 'sma_50 > 0'), with_(50, 'sma_50 > 0')], [1, 0]);
    assert.deepEqual([with_(50, 'sma_50 crosses_above 0'), with_(51, 'sma_50 crosses_above 0')], [1, 0]);
    assert.deepEqual([with_(60, 'state = wait'), with_(61, 'state = wait')], [1, 0]);
  });

  it('takes for equal what differs by rounding', () => {
    const pairs = pairsOf({ FLAT: flatCandles(300, 0.1) });
    for (const op of ['<', '>', 'crosses_above', 'crosses_below'])
      assert.equal(run(pairs, [`close ${op} sma_200`]).matched, 0, op);
    for (const op of ['=', '<=', '>=']) assert.equal(run(pairs, [`close ${op} sma_200`]).matched, 1, op);
    const tiny = pairsOf({ TINY: candlesAt([1e-8, 1.1e-8]) });
    assert.equal(
      run(tiny, ['close > open', 'close > 1.05e-8', 'low < 2e-8'], { join: 'or' }).rows[0].held.join(),
      '1,2',
    );
  });

  it('sorts by a field either way, lacking values last, and by asset without one', () => {
    const by = (sortBy: string | null, limit = 100) => run(market, ['close > 0'], { sortBy, limit });
    const speed = (asset: string) =>
      last(market.find((pair) => pair.asset === asset)!.candles, 'rsi', { period: 14 });
    const known = names(live).filter((asset) => asset !== 'NEW');
    const ascending = [...known].sort((a, b) => speed(a) - speed(b));
    assert.deepEqual(names(by('rsi_14').rows), [...ascending, 'NEW']);
    assert.deepEqual(names(by('-rsi_14').rows), [...ascending.reverse(), 'NEW']);
    assert.deepEqual(names(by(null).rows), names(live).sort());
    const few = by('-rsi_14', 3);
    assert.deepEqual([names(few.rows), few.matched], [ascending.slice(0, 3), 32]);
    assert.equal(few.rows[0].values.rsi_14, speed(ascending[0]));
  });

  it('computes a column once per asset, however often it is asked', () => {
    class CountingScratch extends ScratchBuffers {
      columns = 0;
      override column(length: number): Float64Array {
        this.columns++;
        return super.column(length);
      }
    }
    const scratch = new CountingScratch();
    const conditions = [
      'rsi_14 < 100',
      'rsi > 0',
      'RSI_14 crosses_above 200',
      'macd < 1e9',
      'macd_signal_12_26_9 < 1e9',
      'rsi_15 > 0',
    ];
    run(pairsOf({ A: ofAge(1, 100), B: ofAge(2, 100) }), conditions, { join: 'or', sortBy: 'rsi' }, scratch);
    // RSI over 14 and over 15 have one column each, MACD has three.
    assert.equal(scratch.columns, 2 * 5);
  });

  it('says which condition cannot be read', () => {
    const refused = (conditions: string[], message: string, field: string) =>
      assert.throws(
        () => run(market, conditions),
        (error: { code: string; message: string; details: { field: string } }) => {
          assert.deepEqual(
            [error.code, error.message, error.details.field],
            ['invalid_input', message, field],
          );
          return true;
        },
      );
    refused(
      ['close > 1', 'rsi_14 > sma_900'],
      '"period" in "sma_900" must be a whole number from 2 to 500, found 900',
      'conditions[1].right',
    );
    refused(
      ['30 > rsi_14'],
      'there is no field "30"; the fields are open, high, low, close, volume, change, state, days_in_state, and indicators with their parameters, such as rsi_14',
      'conditions[0].left',
    );
    refused(['state > wait'], '"state" is compared with "=", not with ">"', 'conditions[0].op');
    refused(
      ['state = up'],
      '"state" is one of accumulate, wait, distribute, not "up"',
      'conditions[0].right',
    );
    refused(['close = wait'], '"wait" can only stand on the right of "state ="', 'conditions[0].right');
    refused(['close > state'], '"state" can only stand on the right of "state ="', 'conditions[0].right');
    refused([], 'expected 1 to 6 conditions, found 0', 'conditions');
    refused(Array<string>(7).fill('close > 1'), 'expected 1 to 6 conditions, found 7', 'conditions');
    assert.throws(() => run(market, ['close > 1'], { sortBy: '-nothing' }), {
      details: { field: 'sortBy', name: 'nothing' },
    });
    assert.throws(() => run([], ['close > 1']), { code: 'not_enough_history' });
    for (const right of ['NaN', 'Infinity', '1e999', '-1e999', '0x10', '1,5', '5%'])
      assert.throws(() => run(market, [`close > ${right}`]), { code: 'invalid_input' }, right);
  });

  it('gives the same in memory used before, as plain data', () => {
    const scratch = new ScratchBuffers();
    const conditions = ['adx_14 > 10', 'close > bollinger_lower', 'state = wait'];
    const expected = run(market, conditions, { join: 'or' });
    run(market, ['psar < close'], {}, scratch);
    scratch.clear();
    assert.deepEqual(run(market, conditions, { join: 'or' }, scratch), expected);
    assert.deepEqual(JSON.parse(JSON.stringify(expected)), expected);
  });
});
