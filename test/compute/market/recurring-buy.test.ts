import assert from 'node:assert/strict';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import {
  buySchedule,
  simulateRecurringBuy,
  type BuyOutcome,
  type RecurringBuyParams,
} from '../../../compute/market/recurring-buy.js';
import type { Candles } from '../../../compute/model/candles.js';
import { stateCode } from '../../../compute/model/core-line.js';
import type { Interval } from '../../../compute/model/interval.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { dropCandles } from '../../support/candles/drop-candles.js';
import { copyOf, flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

/**
 * Buys at the given moments, by walking over rows: on the first row at or after each, whose row before `isAllowed` (null:
 * always). The values of every row from the first buy on stand beside the money put in so far.
 */
function naiveRecurringBuy(
  { time, open, close }: Candles,
  moments: readonly number[],
  amount: number,
  feePercent: number,
  isAllowed: ((rowBefore: number) => boolean) | null = null,
) {
  const rows = Array.from(time, (at, i) => ({ at, i, open: open[i], close: close[i] }));
  const orders = moments.flatMap((moment) => {
    const row = rows.find(({ at }) => at >= moment);
    return row && (!isAllowed || isAllowed(row.i - 1)) ? [row] : [];
  });
  const bought = (row: { open: number }) => (amount * (1 - feePercent / 100)) / row.open;
  const path = rows
    .filter(({ i }) => orders.length > 0 && i >= orders[0].i)
    .map((row) => {
      const until = orders.filter(({ i }) => i <= row.i);
      const quantity = until.reduce((sum, order) => sum + bought(order), 0);
      return { i: row.i, at: row.at, invested: amount * until.length, value: quantity * row.close };
    });
  // What the first money bought, per unit of money.
  const unitValues = path.map(({ i }) => (close[i] * bought(orders[0])) / amount);
  const falls = unitValues.map((value, n) => value / Math.max(1, ...unitValues.slice(0, n + 1)) - 1);
  const quantity = orders.reduce((sum, order) => sum + bought(order), 0);
  return {
    buys: orders.length,
    invested: amount * orders.length,
    quantity,
    averageCost: (amount * orders.length) / quantity,
    value: quantity * close[close.length - 1],
    worstAgainstInvestedPercent:
      100 * Math.min(0, ...path.map(({ value, invested }) => value / invested - 1)),
    maxDrawdownPercent: 100 * Math.min(0, ...falls),
  };
}

const dayMs = 86_400_000;

const near = (actual: number, expected: number, what: string) =>
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: found ${actual}, expected ${expected}`,
  );

const simulate = (candles: Candles, params: Partial<RecurringBuyParams>, interval: Interval = '1d') =>
  simulateRecurringBuy(candles, interval, {
    amount: 100,
    every: 'week',
    period: '1y',
    onlyState: null,
    feePercent: 0.1,
    ...params,
  });

const daysFrom = (start: string, count: number, seed = 1) =>
  randomCandles(count, { seed, startMs: Date.parse(start), stepMs: dayMs });

function assertOutcome(
  found: BuyOutcome | null,
  expected: ReturnType<typeof naiveRecurringBuy>,
  what: string,
) {
  if (expected.buys === 0) return assert.equal(found, null, what);
  for (const [name, value] of Object.entries(expected))
    near(found![name as keyof typeof expected], value, `${what} ${name}`);
  near(found!.returnPercent, (100 * expected.value) / expected.invested - 100, `${what} return`);
}

describe('simulateRecurringBuy', () => {
  for (const [interval, every, period] of [
    ['1d', 'day', '1y'],
    ['1d', 'week', '6M'],
    ['4h', 'month', '1y'],
    ['1h', 'week', '3M'],
  ] as const)
    it(`finds what walking over rows finds, every ${every} for ${period} on ${interval} candles`, () => {
      const candles = demoCandles('SOL_USDT', interval);
      const found = simulate(candles, { every, period, amount: 250 }, interval);
      const moments = buySchedule(found.from, found.to, every);
      assert.equal(found.scheduled, moments.length);
      assertOutcome(found.recurring, naiveRecurringBuy(candles, moments, 250, 0.1), 'recurring');
      const whole = naiveRecurringBuy(candles, moments.slice(0, 1), 250 * moments.length, 0.1);
      assertOutcome(found.lumpSum, whole, 'lump sum');
      near(
        found.differencePoints!,
        found.recurring!.returnPercent - found.lumpSum!.returnPercent,
        'difference',
      );
      assert.deepEqual(found.notes, []);
    });

  it('buys on the open of the first candle at or after the moment, twice where a gap holds two', () => {
    const whole = daysFrom('2024-01-01', 120);
    const holed = dropCandles(whole, (i) => i > 45 && i < 62);
    const found = simulate(holed, { period: '3M', feePercent: 0 });
    const moments = buySchedule(found.from, found.to, 'week');
    assertOutcome(found.recurring, naiveRecurringBuy(holed, moments, 100, 0), 'holed');
    assert.equal(found.recurring!.buys, moments.length);
    // 30 April less three months is 30 January: buys on 30 January, 6 and 13 February, then on 3 March for two weeks.
    const opens = [29, 36, 43, 62, 62, 64].map((i) => whole.open[i]);
    const until = opens.reduce((sum, price) => sum + 100 / price, 0);
    const later = moments
      .slice(6)
      .reduce((sum, moment) => sum + 100 / whole.open[whole.time.indexOf(moment)], 0);
    near(found.recurring!.quantity, until + later, 'quantity');
  });

  it('keeps fees out of what is bought, and in what is invested', () => {
    const still = flatCandles(10, 50);
    still.time.forEach((_, i) => (still.time[i] = Date.UTC(2024, 0, 1) + i * dayMs));
    const { recurring, lumpSum } = simulate(still, { every: 'day', amount: 100, feePercent: 1 });
    near(recurring!.invested, 1_000, 'invested');
    near(recurring!.fees, 10, 'fees');
    near(recurring!.quantity, 990 / 50, 'quantity');
    near(recurring!.averageCost, 50 / 0.99, 'average cost');
    near(recurring!.value, 990, 'value');
    for (const each of [recurring!, lumpSum!])
      for (const name of ['returnPercent', 'worstAgainstInvestedPercent', 'maxDrawdownPercent'] as const)
        near(each[name], -1, name);
  });

  it('falls as far as a unit does: later deposits do not soften the drawdown', () => {
    const candles = daysFrom('2024-01-01', 3);
    candles.open.set([100, 200, 100]);
    candles.close.set([200, 100, 50]);
    const { recurring, lumpSum } = simulate(candles, { every: 'day', feePercent: 0 });
    // The price falls from 200 to 50, whatever is bought meanwhile.
    near(recurring!.maxDrawdownPercent, (50 / 200 - 1) * 100, 'drawdown');
    near(recurring!.worstAgainstInvestedPercent, (125 / 300 - 1) * 100, 'against invested');
    near(lumpSum!.maxDrawdownPercent, (50 / 200 - 1) * 100, 'drawdown of the lump sum');
    near(lumpSum!.worstAgainstInvestedPercent, -50, 'lump sum against invested');
  });

  it('buys in one state only, as known on the close before', () => {
    const candles = demoCandles('BTC_USDT', '1d');
    const { state } = computeCoreLine(candles);
    let bought = 0;
    for (const onlyState of ['accumulate', 'wait', 'distribute'] as const) {
      const found = simulate(candles, { onlyState, every: 'day' });
      const isAllowed = (row: number) => row >= 0 && state[row] === stateCode[onlyState];
      const moments = buySchedule(found.from, found.to, 'day');
      assertOutcome(found.recurring, naiveRecurringBuy(candles, moments, 100, 0.1, isAllowed), onlyState);
      assert.equal(found.scheduled - found.skipped, found.recurring!.buys);
      near(found.lumpSum!.invested, found.recurring!.invested, 'money of the lump sum');
      assert.equal(found.lumpSum!.firstBuy, found.from);
      bought += found.recurring!.buys;
    }
    assert.equal(bought, simulate(candles, { every: 'day' }).recurring!.buys);
  });

  it('does not know the state of the candle it buys on', () => {
    const candles = demoCandles('BTC_USDT', '1d');
    const { length } = candles.time;
    const changed = copyOf(candles);
    // A last candle that crashes after its open would change its own state.
    changed.low[length - 1] = changed.close[length - 1] = 1;
    for (const onlyState of ['accumulate', 'wait', 'distribute'] as const)
      assert.equal(
        simulate(changed, { onlyState, every: 'day' }).skipped,
        simulate(candles, { onlyState, every: 'day' }).skipped,
      );
  });

  it('starts with the history where that is shorter, and says so', () => {
    const candles = daysFrom('2024-01-01', 100);
    const found = simulate(candles, { every: 'month' });
    assert.deepEqual(
      [found.from, found.scheduled, found.notes],
      [candles.time[0], 4, ['history is shorter than 1y: the buys start 2024-01-01T00:00:00.000Z']],
    );
    const early = simulate(candles, { every: 'day', onlyState: 'wait' });
    assert.equal(early.notes[1], '61 buys were skipped because the state was not known yet');
  });

  it('has no outcome where the state forbade every buy', () => {
    // A price that stands still waits.
    const still = flatCandles(70);
    still.time.forEach((_, i) => (still.time[i] = Date.UTC(2024, 0, 1) + i * dayMs));
    const found = simulate(still, { onlyState: 'accumulate' });
    assert.deepEqual([found.recurring, found.scheduled], [null, 10]);
    assert.deepEqual([found.lumpSum, found.differencePoints, found.skipped], [null, null, found.scheduled]);
  });

  it('answers for one candle, and refuses none, or too few for a state', () => {
    assert.equal(simulate(daysFrom('2024-01-01', 1), {}).recurring!.buys, 1);
    const refused = (count: number, params: Partial<RecurringBuyParams>, needed: number) =>
      assert.throws(() => simulate(daysFrom('2024-01-01', count), params), {
        code: 'not_enough_history',
        details: { needed, found: count },
      });
    refused(0, {}, 1);
    refused(61, { onlyState: 'wait' }, 62);
  });

  it('is as exact at tiny prices as at large ones', () => {
    const at = (price: number) =>
      simulate(randomCandles(400, { seed: 7, stepMs: dayMs, price }), { every: 'day' }).recurring!;
    const [tiny, plain, large] = [1e-8, 1, 1e8].map(at);
    for (const name of ['returnPercent', 'worstAgainstInvestedPercent', 'maxDrawdownPercent'] as const) {
      near(tiny[name], plain[name], name);
      near(large[name], plain[name], name);
    }
  });

  it('gives the same in fresh memory and in used, and leaves its input as it is', () => {
    const candles = daysFrom('2023-01-01', 500);
    const before = copyOf(candles);
    const params = { amount: 5, every: 'day', period: '1y', onlyState: 'accumulate', feePercent: 0 } as const;
    const scratch = new ScratchBuffers();
    scratch.column(500).fill(NaN);
    scratch.clear();
    assert.deepEqual(
      simulateRecurringBuy(candles, '1d', params, scratch),
      simulateRecurringBuy(candles, '1d', params),
    );
    assert.deepEqual(candles, before);
  });
});
