import { firstCandleFrom } from '../model/candles.js';
import { field, type Value } from '../model/field.js';
import { candlesPerYear, intervalMs, type ResearchInterval } from '../model/interval.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { utcTime } from '../model/utc-day.js';
import { hasExit } from '../rules/rules-in-words.js';
import { ruleSides, type StrategyRules } from '../rules/strategy-rules.js';
import { buyAndKeep, initialEquity } from './engine.js';
import {
  benchmarkFields,
  benchmarkOf,
  equityPoint,
  figureFields,
  figuresOf,
  moment,
  monthField,
  mostEquityPoints,
  noteBenchmark,
  noteNulls,
  reportEquity,
  reportMonths,
} from './report.js';
import type { NamedRuleAsset } from './research-window.js';
import { exitReasons } from './rule-position.js';
import { feeFields } from './trading-costs.js';
import type { RuleAccount, RuleRun, RuleTrade } from './trade-rules.js';
import { windowFields } from './trading-fields.js';

const mostTrades = 20_000;

const percent = (text: string) => field.number(text, { unit: 'percent' });
const quote = (text: string) => field.number(text, { unit: 'quote' });

const ruleTradeField = field.object('a trade', {
  asset: field.text('asset'),
  side: field.choice('direction', ruleSides),
  entryTime: moment('open time of the candle of the entry, ISO 8601'),
  exitTime: moment('open time of the candle of the exit, ISO 8601'),
  entryPrice: quote('price of the entry, slippage included'),
  exitPrice: quote('price of the exit, slippage included except for targets'),
  quantity: field.number('units traded'),
  return: percent('gain in percent of what the position cost'),
  gain: quote('what it brought back less what it cost, fees included'),
  candles: field.count('candles that began with the position open'),
  exitReason: field.choice(
    'why it was closed: the exit condition (signal), maxCandles (time), a level, or the end of the window',
    exitReasons,
  ),
});

const breakdownBy = ['side', 'asset', 'exit', 'year'] as const;

/** The report of a backtest of rules, without what was asked. */
export const researchReport = field.object('the report of a backtest of rules', {
  ...figureFields,
  trades: field.list('the trades in the order of closing, 20,000 at most', ruleTradeField),
  breakdown: field.list(
    'trades by group',
    field.object('the trades of a group', {
      by: field.choice('what they have in common; year: that of the exit', breakdownBy),
      key: field.text('long, BTC, stopLoss or 2024'),
      trades: field.count('trades'),
      gain: quote('sum of their gains'),
      winRate: percent('share of trades that gained'),
    }),
  ),
  entries: field.object('what became of entries', {
    taken: field.count('entries made'),
    cut: field.count('of those: entries that were cut to the free cash'),
    skippedCash: field.count('entries dropped for lack of cash'),
    skippedFull: field.count('entries dropped because `maxPositions` were open'),
    conflict: field.count('closes on which both sides were to be entered, and neither was'),
  }),
  benchmark: field.object(
    'bought at the start in equal parts and held, with the same costs',
    benchmarkFields,
  ),
  equity: field.list('what the account was worth, the oldest first', equityPoint, { max: mostEquityPoints }),
  months: field.list('returns by calendar month, the oldest first', monthField),
  candles: field.count('candles of the window'),
  window: field.object('the time that was traded', windowFields),
  assumptions: field.object('what the figures rest on', {
    ...feeFields,
    slippagePercent: percent('slippage of each side; targets have none'),
    shortCostPercentPerDay: percent('what an open short pays a day, of its worth at the entry'),
    initialEquity: quote('worth of the account at the start'),
    maxPositions: field.count('most positions at one time'),
    rankBy: field.nullable(
      field.text('column that ranks the entries of one open; null: the order of the assets'),
    ),
    fill: field.text('at which prices orders fill'),
    riskFreePercent: percent('annual risk-free rate'),
    candlesPerYear: field.number('candles of a year, by which figures are annualised'),
  }),
  lookAheadCheck: field.object('whether a decision or a trade knew of what came after it', {
    candles: field.count('candles whose decisions were recomputed from data that end there'),
    runs: field.count('runs that were repeated on data that end at a random time'),
    differences: field.count('differences: always 0, else there is no report'),
  }),
  notes: field.list('what to know about the figures', field.text('a sentence')),
});

export type ResearchReport = Value<typeof researchReport>;

const fillRule =
  'signals at the open of the next candle; within a candle the stop before the target, a stop at the open where that is beyond it, a target at its price; trailing stops move at closes';

/** What a report of rules is made of. */
export interface RulesReportInput {
  assets: readonly NamedRuleAsset[];
  account: RuleAccount;
  rules: StrategyRules;
  interval: ResearchInterval;
  run: RuleRun;
  assumptions: Omit<
    ResearchReport['assumptions'],
    'fill' | 'riskFreePercent' | 'candlesPerYear' | 'initialEquity' | 'maxPositions'
  >;
  lookAheadCheck: ResearchReport['lookAheadCheck'];
  /** Why the window starts late; null: it does not. */
  windowNote: string | null;
}

/** The report of a run. */
export function reportRules(input: RulesReportInput, scratch?: ScratchBuffers): ResearchReport {
  const { assets, account, interval, run, rules, assumptions } = input;
  const perYear = candlesPerYear(interval);
  const figures = figuresOf(run, perYear, scratch);
  const held = holdAssets(input, scratch);
  const benchmark = benchmarkOf(held, perYear, scratch);
  const { time, trades, entries } = run;
  const share = account.initialEquity / (initialEquity * assets.length);
  const curves = { time, equity: run.equity, benchmark: held.equity, benchmarkShare: share };
  return {
    ...figures,
    trades: reportRuleTrades(trades.slice(0, mostTrades), assets),
    breakdown: breakDown(trades, assets),
    entries,
    benchmark,
    equity: reportEquity(curves),
    months: reportMonths(curves, account.initialEquity),
    candles: time.length,
    window: { from: utcTime(time[0]), to: utcTime(time[time.length - 1] + intervalMs(interval)) },
    assumptions: {
      ...assumptions,
      initialEquity: account.initialEquity,
      maxPositions: account.maxPositions,
      fill: fillRule,
      riskFreePercent: 0,
      candlesPerYear: perYear,
    },
    lookAheadCheck: input.lookAheadCheck,
    notes: [
      ...(input.windowNote === null ? [] : [input.windowNote]),
      ...noteRules(rules, assumptions.shortCostPercentPerDay),
      ...(trades.length > mostTrades
        ? [`the first ${mostTrades} of ${trades.length} trades are listed; the figures count all`]
        : []),
      ...noteNulls(figures),
      ...noteBenchmark(benchmark),
    ],
  };
}

/** Buy and hold of all assets in equal parts, with the costs of the account. */
function holdAssets(
  { assets, account, run: { time } }: RulesReportInput,
  scratch?: ScratchBuffers,
): Pick<RuleRun, 'equity' | 'lowestEquity'> {
  const { costs } = account;
  if (assets.length === 1) {
    const [{ candles }] = assets;
    return buyAndKeep(candles, firstCandleFrom(candles.time, time[0]), costs, scratch);
  }
  const column = () => (scratch?.column(time.length) ?? new Float64Array(time.length)).fill(0);
  const [equity, lowestEquity] = [column(), column()];
  for (const { candles } of assets) {
    const from = firstCandleFrom(candles.time, time[0]);
    const held = buyAndKeep(candles, from, costs, scratch);
    for (let n = 0, at = from; n < time.length; n++) {
      if (at < candles.time.length && candles.time[at] === time[n]) at++;
      const value = at === from ? initialEquity : held.equity[at - from - 1];
      const isHere = at > from && candles.time[at - 1] === time[n];
      equity[n] += value;
      lowestEquity[n] += isHere ? held.lowestEquity[at - from - 1] : value;
    }
  }
  return { equity, lowestEquity };
}

/** Trades as clients see them. */
export const reportRuleTrades = (
  trades: readonly RuleTrade[],
  assets: readonly NamedRuleAsset[],
): ResearchReport['trades'] =>
  trades.map((trade) => {
    const { asset, candles } = assets[trade.asset];
    // Each field is written out: making an object by spreading another one takes many times as long.
    return {
      asset,
      side: trade.way > 0 ? 'long' : 'short',
      entryTime: utcTime(candles.time[trade.entry]),
      exitTime: utcTime(candles.time[trade.exit]),
      entryPrice: trade.entryPrice,
      exitPrice: trade.exitPrice,
      quantity: trade.quantity,
      return: trade.returnRate * 100,
      gain: trade.gain,
      candles: trade.candles,
      exitReason: trade.exitReason,
    };
  });

function breakDown(
  trades: readonly RuleTrade[],
  assets: readonly NamedRuleAsset[],
): ResearchReport['breakdown'] {
  const keyOf: Record<(typeof breakdownBy)[number], (trade: RuleTrade) => string> = {
    side: ({ way }) => (way > 0 ? 'long' : 'short'),
    asset: ({ asset }) => assets[asset].asset,
    exit: ({ exitReason }) => exitReason,
    year: ({ asset, exit }) => String(new Date(assets[asset].candles.time[exit]).getUTCFullYear()),
  };
  const order: Record<string, readonly string[] | undefined> = {
    side: ruleSides,
    asset: assets.map(({ asset }) => asset),
    exit: exitReasons,
  };
  return breakdownBy.flatMap((by) => {
    const groups = new Map<string, { trades: number; gain: number; won: number }>();
    for (const trade of trades) {
      const key = keyOf[by](trade);
      let group = groups.get(key);
      if (!group) groups.set(key, (group = { trades: 0, gain: 0, won: 0 }));
      group.trades++;
      group.gain += trade.gain;
      if (trade.returnRate > 0) group.won++;
    }
    const keys = order[by]?.filter((key) => groups.has(key)) ?? [...groups.keys()].sort();
    return keys.map((key) => {
      const { trades, gain, won } = groups.get(key)!;
      return { by, key, trades, gain, winRate: (won / trades) * 100 };
    });
  });
}

function noteRules(rules: StrategyRules, shortCostPercentPerDay: number): string[] {
  const held = ruleSides.filter((side) => rules[side] && !hasExit(rules[side]));
  const notes = held.map((side) => `${side} has no exit: its position is held to the end`);
  if (rules.short)
    notes.push(
      `no funding rates are stored: shorts pay shortCostPercentPerDay, ${shortCostPercentPerDay} % a day`,
    );
  return notes;
}
