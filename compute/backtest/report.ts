import { accountDrawdown } from '../metrics/drawdowns.js';
import { calmar, sharpe, sortino } from '../metrics/return-ratios.js';
import { expectancy, exposure, profitFactor, winRate } from '../metrics/trade-figures.js';
import { candleReturns, mean, totalReturn } from '../metrics/returns.js';
import { firstCandleFrom } from '../model/candles.js';
import { field, type Value, type Values } from '../model/field.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { utcTime } from '../model/utc-day.js';
import { keptPlaces } from './downsample.js';
import type { Run, Trade } from './engine.js';

const day = (text: string) =>
  field.text(text, { pattern: /^\d{4}-\d{2}-\d{2}$/, patternName: 'a day as in 2026-01-31' });

/** A time in a report. */
export const moment = (text: string) =>
  field.text(text, {
    pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
    patternName: 'a time as in 2026-01-31T12:00:00.000Z',
  });

/** A trade as clients see it. */
export const reportedTrade = field.object('a trade', {
  entryPrice: field.number('price of the entry, slippage included', { unit: 'quote' }),
  exitPrice: field.number('price of the exit, slippage included', { unit: 'quote' }),
  entryDate: day('day of the entry, UTC'),
  exitDate: day('day of the exit, UTC'),
  entryTime: moment('open time of the candle of the entry, ISO 8601'),
  exitTime: moment(
    'open time of the candle of the exit, ISO 8601; at the end of the window it is sold at its close',
  ),
  return: field.number('return, fees included', { unit: 'percent' }),
  exitReason: field.choice('reason for the exit: the strategy sold (signal), or the window ended (end)', [
    'signal',
    'end',
  ]),
});

export type ReportedTrade = Value<typeof reportedTrade>;

export const equityPoint = field.object('a moment', {
  time: field.count('open time of the candle, in seconds since 1970, UTC'),
  value: field.number('worth of the account', { unit: 'quote' }),
  benchmark: field.number('worth of the account had it bought at the start and held', { unit: 'quote' }),
  drawdownPercent: field.number('distance of the worth from its highest before, 0 or below', {
    unit: 'percent',
  }),
});

type EquityPoint = Value<typeof equityPoint>;

/** The return of a calendar month. */
export const monthField = field.object('a month', {
  month: field.text('calendar month, UTC', {
    pattern: /^\d{4}-\d{2}$/,
    patternName: 'a month as in 2026-01',
  }),
  returnPercent: field.number('change of the account over the candles of the month', { unit: 'percent' }),
  benchmarkPercent: field.number('the same had it bought at the start and held', { unit: 'percent' }),
});

type Month = Value<typeof monthField>;

const percentOrNull = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));
const ratioOrNull = (text: string) => field.nullable(field.number(text));

/** The figures of one run; a ratio without meaning is null. */
export const figureFields = {
  totalReturn: percentOrNull('total return'),
  winRate: percentOrNull('share of entries that gained; null without a closed trade'),
  sharpe: ratioOrNull('annualised Sharpe ratio; null where it has no meaning'),
  maxDrawdown: percentOrNull('maximum drawdown on closes, 0 or below'),
  maxDrawdownIntrabarPercent: percentOrNull(
    'maximum drawdown from a close down to a later low, while a position is open; 0 or below, and never milder than on closes',
  ),
  tradeCount: field.count('closed trades'),
  profitFactor: ratioOrNull('gross profit divided by gross loss; null where no trade lost'),
  sortino: ratioOrNull('annualised Sortino ratio'),
  calmar: ratioOrNull('annual growth divided by the maximum drawdown'),
  expectancy: percentOrNull('mean return of a trade'),
  exposure: percentOrNull('share of candles with an open position'),
};

export type Figures = Values<typeof figureFields>;

/** What figures are computed from. */
export type MeasuredRun = Omit<Run, 'trades'> & { trades: readonly Pick<Trade, 'gain' | 'returnRate'>[] };

/** All figures of a run whose candles come `perYear` to a year. */
export function figuresOf(
  { equity, lowestEquity, trades, candlesHeld }: MeasuredRun,
  perYear: number,
  scratch?: ScratchBuffers,
): Figures {
  const returns = candleReturns(equity, scratch);
  const average = mean(returns);
  const drawdown = accountDrawdown(equity, lowestEquity);
  return {
    totalReturn: totalReturn(equity),
    winRate: winRate(trades),
    sharpe: sharpe(returns, perYear, average),
    maxDrawdown: drawdown.onCloses,
    maxDrawdownIntrabarPercent: drawdown.onLows,
    tradeCount: trades.length,
    profitFactor: profitFactor(trades),
    sortino: sortino(returns, perYear, average),
    calmar: calmar(equity, drawdown.onCloses, perYear),
    expectancy: expectancy(trades),
    exposure: exposure(candlesHeld, equity.length),
  };
}

const {
  totalReturn: returnField,
  maxDrawdown: drawdownField,
  maxDrawdownIntrabarPercent: intrabarField,
  sharpe: sharpeField,
} = figureFields;

export const benchmarkFields = {
  totalReturn: returnField,
  maxDrawdown: drawdownField,
  maxDrawdownIntrabarPercent: intrabarField,
  sharpe: sharpeField,
};

export type Benchmark = Values<typeof benchmarkFields>;

/** The figures of a run that another one is measured against. */
export function benchmarkOf(
  { equity, lowestEquity }: Pick<Run, 'equity' | 'lowestEquity'>,
  perYear: number,
  scratch?: ScratchBuffers,
): Benchmark {
  const { onCloses, onLows } = accountDrawdown(equity, lowestEquity);
  return {
    totalReturn: totalReturn(equity),
    maxDrawdown: onCloses,
    maxDrawdownIntrabarPercent: onLows,
    sharpe: sharpe(candleReturns(equity, scratch), perYear),
  };
}

/** Why figures are null, a sentence each. */
export function noteNulls(figures: Figures): string[] {
  const notes: string[] = [];
  const none = (names: (keyof Figures)[]) => names.filter((name) => figures[name] === null);
  const say = (names: (keyof Figures)[], why: string) => {
    const missing = none(names);
    if (missing.length > 0)
      notes.push(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} null: ${why}`);
  };
  say(
    ['totalReturn', 'maxDrawdown', 'maxDrawdownIntrabarPercent', 'exposure'],
    'there is no candle to measure them on',
  );
  say(['winRate', 'expectancy'], 'no trade was closed in the window');
  say(['profitFactor'], figures.tradeCount === 0 ? 'no trade was closed in the window' : 'no trade lost');
  say(['sharpe'], 'there are not two returns of equity that vary');
  say(['sortino'], 'equity never falls from one candle to the next');
  say(
    ['calmar'],
    figures.maxDrawdown === 0
      ? 'equity never falls below its highest value'
      : 'annual growth at this pace is too large for a number',
  );
  return notes;
}

/** Why the Sharpe ratio of the benchmark is null, in a sentence; empty where it is not. */
export const noteBenchmark = ({ sharpe }: Benchmark): string[] =>
  sharpe === null
    ? ['sharpe of the benchmark is null: there are not two returns of its equity that vary']
    : [];

/**
 * Trades as clients see them: indexes of candles as dates and times, the return in percent. Each field is written out: making an
 * object by spreading another one takes many times as long.
 */
export const reportTrades = (trades: readonly Trade[], time: Float64Array): ReportedTrade[] =>
  trades.map(({ entryPrice, exitPrice, entry, exit, returnRate, exitReason }) => {
    const entryTime = utcTime(time[entry]);
    const exitTime = utcTime(time[exit]);
    return {
      entryPrice,
      exitPrice,
      entryDate: entryTime.slice(0, 10),
      exitDate: exitTime.slice(0, 10),
      entryTime,
      exitTime,
      return: returnRate * 100,
      exitReason,
    };
  });

export const mostEquityPoints = 500;

/** An account and what it is measured against, on the same candles; `benchmarkShare` scales the latter to the account. */
interface Curves {
  time: Float64Array;
  equity: Float64Array;
  benchmark: Float64Array;
  benchmarkShare?: number;
}

/** The equity curve in at most 500 points, in hundredths of a quote unit; the extremes that are kept are those of the account. */
export function reportEquity({ time, equity, benchmark, benchmarkShare = 1 }: Curves): EquityPoint[] {
  let peak = -Infinity;
  let at = 0;
  return keptPlaces(equity, mostEquityPoints).map((i) => {
    for (; at <= i; at++) if (equity[at] > peak) peak = equity[at];
    return {
      time: time[i] / 1000,
      value: hundredths(equity[i]),
      benchmark: hundredths(benchmark[i] * benchmarkShare),
      drawdownPercent: hundredths((equity[i] / peak - 1) * 100),
    };
  });
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** The returns of calendar months, the oldest first: each from the last close before the month, the first from the account at the start. */
export function reportMonths(
  { time, equity, benchmark, benchmarkShare = 1 }: Curves,
  start: number,
): Month[] {
  const months: Month[] = [];
  let [before, heldBefore] = [start, start];
  for (let i = 0; i < time.length; i++) {
    const day = new Date(time[i]);
    i = firstCandleFrom(time, Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1)) - 1;
    const held = benchmark[i] * benchmarkShare;
    months.push({
      month: utcTime(time[i]).slice(0, 7),
      returnPercent: hundredths((equity[i] / before - 1) * 100),
      benchmarkPercent: hundredths((held / heldBefore - 1) * 100),
    });
    [before, heldBefore] = [equity[i], held];
  }
  return months;
}
