import { defineAnalysis } from '../analysis.js';
import { defaultCosts } from '../backtest/trading-costs.js';
import { coreLineParams } from '../core-line/rule.js';
import { computeCoreLine } from '../core-line/states.js';
import { countOf } from '../model/count-of.js';
import { firstCandleFrom, type Candles } from '../model/candles.js';
import { stateCode, trendStates, type TrendState } from '../model/core-line.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { intervalMs, periods, periodStart, type Interval } from '../model/interval.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';

const buyRhythms = ['day', 'week', 'month'] as const;

export type BuyRhythm = (typeof buyRhythms)[number];

/**
 * The moments of buys in [fromMs, toMs), ms UTC: `fromMs`, then every day or week after it, or every month on the same
 * day and time. In a shorter month it is the last day.
 */
export function buySchedule(fromMs: number, toMs: number, every: BuyRhythm): number[] {
  const moments: number[] = [];
  for (let n = 0, at = fromMs; at < toMs; at = momentAfter(fromMs, ++n, every)) moments.push(at);
  return moments;
}

function momentAfter(fromMs: number, count: number, every: BuyRhythm): number {
  if (every !== 'month') return fromMs + count * (every === 'day' ? 1 : 7) * intervalMs('1d');
  const first = new Date(fromMs);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(first.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (fromMs % intervalMs('1d'));
}

const recurringBuyParams = {
  amount: field.number('amount of each buy, fee included', {
    min: 1e-6,
    max: 1e12,
    unit: 'quote',
    example: 100,
  }),
  every: field.choice('time between buys', buyRhythms, { default: 'week' }),
  period: field.choice('length of the look-back, which ends at the last closed candle', periods, {
    default: '1y',
  }),
  onlyState: field.nullable(
    field.choice('buy only while the asset is in this trend state; null: always', trendStates),
    { default: null },
  ),
  feePercent: field.number('fee of each buy', {
    min: 0,
    below: 100,
    default: defaultCosts.feePercent,
    unit: 'percent',
  }),
};

export type RecurringBuyParams = Values<typeof recurringBuyParams>;

const quote = (text: string) => field.number(text, { unit: 'quote' });

const buyOutcome = (text: string) =>
  field.object(text, {
    buys: field.count('number of buys'),
    firstBuy: field.time('open time of the candle of the first buy'),
    lastBuy: field.time('open time of the candle of the last buy'),
    invested: quote('money spent, fees included'),
    fees: quote('fees of all buys'),
    quantity: field.number('amount held', { unit: 'base' }),
    averageCost: quote('money spent for each unit held, fees included'),
    value: quote('value at the last close, before the fee of a sale'),
    returnPercent: field.number('return on the money spent', { unit: 'percent' }),
    worstAgainstInvestedPercent: field.number(
      'lowest value at any close against the money spent until then; 0 where it was never below',
      { unit: 'percent' },
    ),
    maxDrawdownPercent: field.number(
      'deepest fall of the value of a share bought with the first money, 0 or below: later buys do not soften it',
      { unit: 'percent' },
    ),
  });

export type BuyOutcome = Value<ReturnType<typeof buyOutcome>>;

const recurringBuyOutput = field.object('recurring buys against a lump sum', {
  from: field.time('start of the look-back'),
  to: field.time('close time of the last candle'),
  scheduled: field.count('buys of the schedule'),
  skipped: field.count('buys of the schedule that were left out because of the state'),
  recurring: field.nullable(buyOutcome('the recurring buys; null where all were left out')),
  lumpSum: field.nullable(buyOutcome('the same money spent in one buy at the start')),
  differencePoints: field.nullable(
    field.number('return of the recurring buys less that of the lump sum', { unit: 'points' }),
  ),
  notes: field.list('what to know about the figures', field.text('a sentence')),
});

export type RecurringBuy = Value<typeof recurringBuyOutput>;

export const recurringBuy = defineAnalysis({
  name: 'recurring-buy',
  title: 'Recurring buy',
  summary:
    'The outcome of buying a fixed amount daily, weekly or monthly against one lump sum: money spent, value, average cost, worst drawdown.',
  needs: 'series',
  interval: '1d',
  params: recurringBuyParams,
  output: recurringBuyOutput,
  scope: 'public',
  tool: {
    name: 'simulate_recurring_buy',
    headline: ({ asset, recurring, lumpSum }) =>
      `Recurring buys of ${asset} returned ${recurring === null ? 'nothing: none was made' : `${formatNumber(recurring.returnPercent, 3)} %`}, a lump sum ${lumpSum === null ? 'unknown' : `${formatNumber(lumpSum.returnPercent, 3)} %`}.`,
  },
  cost: 1,
  run: ({ candles, interval, params }, scratch) => simulateRecurringBuy(candles, interval, params, scratch),
});

/**
 * Recurring buys of a fixed amount from the start of the look-back on, against one buy of the same money at the start. A
 * buy is filled at the open of the first candle at or after its moment. With `onlyState` a buy is made only where the
 * trend state was that one at the close before; otherwise it is left out, not postponed. The lump sum ignores the state.
 * Throws `not_enough_history` without a candle, and with `onlyState` where the history is too short for a state.
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
      ...(made.length === 0 ? [whyNoBuys(due.length, onlyState)] : []),
      ...(unknown > 0
        ? [
            `${countOf(unknown, 'buy')} ${unknown === 1 ? 'was' : 'were'} skipped because the state was not known yet`,
          ]
        : []),
    ],
  };
}

const whyNoBuys = (due: number, onlyState: TrendState | null): string =>
  due === 0
    ? 'recurring, lumpSum and differencePoints are null: no buy was due'
    : `recurring, lumpSum and differencePoints are null: the state was never ${onlyState} when a buy was due`;

function needHistory(found: number, onlyState: TrendState | null): void {
  // The first state is known at the close of the ready candle, so the candle after it is the first with a buy.
  const needed = onlyState ? coreLineParams.readyIndex + 2 : 1;
  if (found >= needed) return;
  const message = `a simulation of buys needs ${needed} closed candles, found ${found}`;
  throw new AppError('not_enough_history', message, { details: { needed, found } });
}

/**
 * Buys for the amount at the open of each given candle, in order of time, and holds to the end. Null without buys. The
 * drawdown is that of the units bought first, as of a fund: later deposits buy further units.
 */
function follow(
  { time, open, close }: Candles,
  buys: readonly number[],
  amount: number,
  { feePercent }: Pick<RecurringBuyParams, 'feePercent'>,
): BuyOutcome | null {
  if (buys.length === 0) return null;
  const fee = (amount * feePercent) / 100;
  let [done, quantity, worst, deepest] = [0, 0, 0, 0];
  const firstUnits = (1 - feePercent / 100) / open[buys[0]];
  let peak = 1;
  for (let i = buys[0]; i < close.length; i++) {
    for (; buys[done] === i; done++) {
      quantity += (amount - fee) / open[i];
    }
    const value = quantity * close[i];
    const unitValue = firstUnits * close[i];
    peak = Math.max(peak, unitValue);
    worst = Math.min(worst, value / (amount * done) - 1);
    deepest = Math.min(deepest, unitValue / peak - 1);
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
