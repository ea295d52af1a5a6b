import { coreLineParams } from '../core-line/rule.js';
import { computeCoreLine } from '../core-line/states.js';
import { firstCandleFrom, type Candles } from '../model/candles.js';
import { stateCode, type TrendState } from '../model/core-line.js';
import { AppError } from '../model/errors.js';
import { intervalMs, periodStart, type Interval, type Period } from '../model/interval.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { buySchedule, type BuyRhythm } from './buy-schedule.js';

export interface RecurringBuyParams {
  /** What each buy spends in quote units, fee included. */
  amount: number;
  every: BuyRhythm;
  period: Period;
  /** Buy only while the core line is in this state; null for always. */
  onlyState: TrendState | null;
  feePercent: number;
}

/** What came of money that was put in. Amounts in quote units, times in ms UTC. */
export interface BuyOutcome {
  buys: number;
  /** Open times of the candles of the first and the last buy. */
  firstBuy: number;
  lastBuy: number;
  /** All money spent, and the part of it that was fees. */
  invested: number;
  fees: number;
  quantity: number;
  /** Invested per unit held, fees included. */
  averageCost: number;
  /** At the last close, before the fee of a sale. */
  value: number;
  returnPercent: number;
  /** Lowest value against the money invested by then, at any close; 0 where it was never below. */
  worstAgainstInvestedPercent: number;
  /** Deepest fall of the value below its highest so far, money put in since counted as part of that; 0 or below. */
  maxDrawdownPercent: number;
}

export interface RecurringBuy {
  /** Start of the look-back and close time of the last candle, ms UTC. */
  from: number;
  to: number;
  /** How many buys the schedule has, and how many of them the state forbade. */
  scheduled: number;
  skipped: number;
  /** Null where every buy was skipped; then there is nothing to compare with either. */
  recurring: BuyOutcome | null;
  /** All the money of the buys spent at once at the start. */
  lumpSum: BuyOutcome | null;
  /** Return of the buys less that of the lump sum, in percentage points. */
  differencePoints: number | null;
  notes: string[];
}

/**
 * Buys for a fixed amount from the start of the look-back on, against one buy for the same money at the start. A buy is
 * filled at the open of the first candle at or after its moment. With `onlyState` it is made where the core line stood in
 * that state at the close before, and left out, not put off, where it did not; the lump sum asks for no state. Throws
 * `not_enough_history` without a candle, or where no candle could know a state.
 */
export function simulateRecurringBuy(
  candles: Candles,
  interval: Interval,
  params: RecurringBuyParams,
  scratch?: ScratchBuffers,
): RecurringBuy {
  const { time } = candles;
  const { onlyState, period, every } = params;
  needHistory(time.length, onlyState);
  const to = time[time.length - 1] + intervalMs(interval);
  const wanted = periodStart(to, period);
  const from = Math.max(wanted, time[0]);
  const moments = buySchedule(from, to, every);
  const due = moments.map((moment) => firstCandleFrom(time, moment)).filter((index) => index < time.length);
  const state = onlyState && computeCoreLine(candles, scratch).state;
  const stateBefore = (index: number) => (state && index > 0 ? state[index - 1] : stateCode.none);
  const made = onlyState ? due.filter((index) => stateBefore(index) === stateCode[onlyState]) : due;
  const unknown = onlyState ? due.filter((index) => stateBefore(index) === stateCode.none).length : 0;
  const recurring = follow(candles, made, params.amount, params);
  const lumpSum = recurring && follow(candles, due.slice(0, 1), params.amount * made.length, params);
  return {
    from,
    to,
    scheduled: due.length,
    skipped: due.length - made.length,
    recurring,
    lumpSum,
    differencePoints: recurring && lumpSum && recurring.returnPercent - lumpSum.returnPercent,
    notes: [
      ...(from > wanted
        ? [`history is shorter than ${period}: the buys start ${new Date(from).toISOString()}`]
        : []),
      ...(unknown > 0 ? [`${unknown} buys were skipped because the state was not known yet`] : []),
    ],
  };
}

function needHistory(found: number, onlyState: TrendState | null): void {
  // The first state is known on the close of the ready candle; the candle after it is the first to buy on.
  const needed = onlyState ? coreLineParams.readyIndex + 2 : 1;
  if (found >= needed) return;
  const message = `a simulation of buys needs ${needed} closed candles, found ${found}`;
  throw new AppError('not_enough_history', message, { details: { needed, found } });
}

/** Buys for the amount on the open of each of the candles, in the order of time, and holds to the end. Null of no buys. */
function follow(
  { time, open, close }: Candles,
  buys: readonly number[],
  amount: number,
  { feePercent }: Pick<RecurringBuyParams, 'feePercent'>,
): BuyOutcome | null {
  if (buys.length === 0) return null;
  const fee = (amount * feePercent) / 100;
  let [done, quantity, peak, worst, deepest] = [0, 0, 0, 0, 0];
  for (let i = buys[0]; i < close.length; i++) {
    for (; buys[done] === i; done++) {
      quantity += (amount - fee) / open[i];
      peak += amount;
    }
    const value = quantity * close[i];
    peak = Math.max(peak, value);
    worst = Math.min(worst, value / (amount * done) - 1);
    deepest = Math.min(deepest, value / peak - 1);
  }
  const invested = amount * done;
  const value = quantity * close[close.length - 1];
  return {
    buys: done,
    firstBuy: time[buys[0]],
    lastBuy: time[buys[buys.length - 1]],
    invested,
    fees: fee * done,
    quantity,
    averageCost: invested / quantity,
    value,
    returnPercent: (value / invested - 1) * 100,
    worstAgainstInvestedPercent: worst * 100,
    maxDrawdownPercent: deepest * 100,
  };
}
