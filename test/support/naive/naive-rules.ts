import { computeCoreLine } from '../../../compute/core-line/states.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { stateCode } from '../../../compute/model/core-line.js';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { candlesPerYear, intervalMs, type ResearchInterval } from '../../../compute/model/interval.js';
import { resampleCandles } from '../../../compute/model/resample.js';
import { parseColumn, type RuleColumn } from '../../../compute/rules/rule-column.js';
import { holds, type ScreenOp } from '../../../compute/rules/screen-condition.js';
import { indicatorByName } from '../candles/indicators-by-name.js';

/** Rules as JSON with parameters filled in: numbers where the canonical form has them. */
interface Json {
  [key: string]: Json | Json[] | string | number | undefined;
}

export interface NaiveSettings {
  strategy: object;
  assets: readonly { name: string; candles: Candles }[];
  interval: ResearchInterval;
  fromMs: number;
  feeRate: number;
  slippageRate: number;
  shortCostPercentPerDay: number;
  initialEquity: number;
  maxPositions: number;
  rankBy: string | null;
}

export interface NaiveTrade {
  asset: string;
  side: 'long' | 'short';
  entry: number;
  exit: number;
  entryPrice: number;
  exitPrice: number;
  quantity: number;
  gain: number;
  candles: number;
  exitReason: string;
}

type Position = NaiveTrade & {
  cost: number;
  carry: number;
  stop: number | null;
  target: number | null;
  best: number;
  trail: ((best: number) => number | null) | null;
};

const equal = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
const below = (a: number, b: number) => a < b && !equal(a, b);
const atMost = (a: number, b: number) => !below(b, a);

/**
 * The rules of spec/strategies.md, written for the eye: every value is looked up candle by candle, and the account is a list
 * of what is open. Shares indicators, resampling and the comparison of two numbers with the engine, nothing else.
 */
export function naiveRules(settings: NaiveSettings) {
  const { assets, interval, fromMs, feeRate: f, slippageRate: s } = settings;
  const strategy = settings.strategy as Json;
  const lengthMs = intervalMs(interval);
  const carryRate = (settings.shortCostPercentPerDay / 100) * (lengthMs / 86_400_000);
  const sides = (['long', 'short'] as const).filter((side) => strategy[side]);
  const values = assets.map(({ candles }) => new NaiveColumns(candles, interval));
  const size = (strategy.size ?? { percent: 100 / settings.maxPositions }) as Record<string, number>;
  const needed = neededColumns(strategy);

  /** Whether every column has a value. */
  const isReady = (a: number, i: number) =>
    needed.every((name) => !Number.isNaN(values[a].at(name, i))) &&
    (size.volatilityPercent === undefined || i >= (size.period ?? 30));
  const begins = assets.map(({ candles }, a) => {
    let i = 0;
    while (i < candles.time.length && (candles.time[i] < fromMs || !isReady(a, i))) i++;
    return i;
  });
  const isTrue = (a: number, condition: unknown, i: number) =>
    judge(values[a], condition as Json, i) === true;

  let cash = settings.initialEquity;
  const positions = new Map<number, Position>();
  const exitsDue = new Map<number, string>();
  const entriesDue = new Map<number, 'long' | 'short'>();
  const trades: NaiveTrade[] = [];
  const entries = { taken: 0, cut: 0, skippedCash: 0, skippedFull: 0, conflict: 0 };
  const equity: number[] = [];
  const lowest: number[] = [];
  let candlesHeld = 0;

  const worth = (p: Position, price: number) =>
    p.side === 'long' ? p.quantity * price : Math.max(0, p.quantity * (2 * p.entryPrice - price) - p.carry);
  const finish = (a: number, i: number, exitPrice: number, exitReason: string, candles: number) => {
    const p = positions.get(a)!;
    let back = p.quantity * exitPrice * (1 - f);
    if (p.side === 'short')
      back = Math.max(0, p.quantity * (2 * p.entryPrice - exitPrice) - p.quantity * exitPrice * f - p.carry);
    if (exitReason === 'liquidation') back = 0;
    cash += back;
    positions.delete(a);
    exitsDue.delete(a);
    const { asset, side, entry, entryPrice, quantity } = p;
    trades.push({
      asset,
      side,
      entry,
      exit: i,
      entryPrice,
      exitPrice,
      quantity,
      gain: back - p.cost,
      candles,
      exitReason,
    });
  };

  const start = Math.min(...assets.map(({ candles }, a) => candles.time[begins[a]] ?? Infinity));
  const times = [
    ...new Set(assets.flatMap(({ candles }) => [...candles.time].filter((time) => time >= start))),
  ].sort((a, b) => a - b);
  for (const time of times) {
    const index = assets.map(({ candles }) => candles.time.indexOf(time));
    const here = assets.map((_, a) => a).filter((a) => index[a] >= 0);
    const lastClose = (a: number) => {
      const { candles } = assets[a];
      return candles.close[candles.time.findLastIndex((each) => each < time)];
    };
    for (const a of here) {
      const reason = exitsDue.get(a);
      const p = positions.get(a);
      if (reason === undefined || !p) continue;
      const way = p.side === 'long' ? 1 : -1;
      finish(a, index[a], assets[a].candles.open[index[a]] * (1 - way * s), reason, index[a] - p.entry);
    }
    let account = cash;
    for (const [a, p] of positions)
      account += worth(p, index[a] >= 0 ? assets[a].candles.open[index[a]] : lastClose(a));
    for (const a of ranked(
      here.filter((each) => entriesDue.has(each)),
      index,
    )) {
      const side = entriesDue.get(a)!;
      entriesDue.delete(a);
      if (positions.size >= settings.maxPositions) entries.skippedFull++;
      else if (cash <= account / 10_000) entries.skippedCash++;
      else enter(a, index[a], side, account);
    }
    let sold = 0;
    let wasHeld = false;
    for (const a of here) {
      const p = positions.get(a);
      if (!p) continue;
      const i = index[a];
      const { open, high, low, close } = assets[a].candles;
      const way = p.side === 'long' ? 1 : -1;
      if (way < 0) p.carry += carryRate * p.quantity * p.entryPrice;
      const exit = within(p, open[i], high[i], low[i]);
      if (exit) finish(a, i, exit.price, exit.reason, i - p.entry + 1);
      else {
        p.best = way > 0 ? Math.max(p.best, high[i]) : Math.min(p.best, low[i]);
        if (i === open.length - 1) {
          const worst = worth(p, way > 0 ? low[i] : high[i]);
          const before = cash;
          finish(a, i, close[i] * (1 - way * s), 'end', i - p.entry + 1);
          sold += worst - (cash - before);
          wasHeld = true;
        }
      }
    }
    let now = cash;
    let worst = cash + sold;
    for (const [a, p] of positions) {
      const { high, low, close } = assets[a].candles;
      const value = worth(p, index[a] >= 0 ? close[index[a]] : lastClose(a));
      now += value;
      worst += index[a] >= 0 ? worth(p, p.side === 'long' ? low[index[a]] : high[index[a]]) : value;
    }
    if (positions.size > 0 || wasHeld) candlesHeld++;
    equity.push(now);
    lowest.push(Math.min(now, worst));
    for (const a of here) {
      const i = index[a];
      if (i < begins[a] || i === assets[a].candles.time.length - 1) continue;
      const fires = (side: 'long' | 'short') => isTrue(a, (strategy[side] as Json).exit, i);
      const p = positions.get(a);
      if (p) {
        const most = (strategy[p.side] as Json).maxCandles as number | undefined;
        if (fires(p.side)) exitsDue.set(a, 'signal');
        else if (most !== undefined && i - p.entry + 1 >= most) exitsDue.set(a, 'time');
        else continue;
      }
      const wanted = sides.filter(
        (side) => isTrue(a, (strategy[side] as Json).entry, i) && !fires(side) && side !== p?.side,
      );
      if (wanted.length === 2) entries.conflict++;
      else if (wanted.length === 1) entriesDue.set(a, wanted[0]);
    }
  }
  return { time: times, equity, lowest, trades, entries, candlesHeld };

  function ranked(due: number[], index: number[]): number[] {
    const by = settings.rankBy;
    if (by === null) return due;
    const name = by.replace(/^-/, '');
    const place = (a: number) => {
      const value = values[a].at(name, index[a] - 1);
      return Number.isNaN(value) ? Infinity : by.startsWith('-') ? -value : value;
    };
    return due.toSorted((a, b) => (place(a) === place(b) ? a - b : place(a) < place(b) ? -1 : 1));
  }

  function enter(a: number, i: number, side: 'long' | 'short', account: number): void {
    const { open, close } = assets[a].candles;
    const way = side === 'long' ? 1 : -1;
    const rules = strategy[side] as Record<string, Record<string, number> | undefined>;
    const entryPrice = open[i] * (1 + way * s);
    const distance = (of: Record<string, number>, unit = of.percent ?? of.atr) =>
      of.percent === undefined
        ? unit * values[a].at(`atr_${of.period ?? 14}`, i - 1)
        : (entryPrice * unit) / 100;
    const { stopLoss, takeProfit, trailingStop } = rules;
    const risk = stopLoss && distance(stopLoss);
    const stop = risk === undefined ? null : Math.max(0, entryPrice - way * risk);
    const reward = takeProfit && (takeProfit.r === undefined ? distance(takeProfit) : takeProfit.r * risk!);
    const target = reward === undefined ? null : entryPrice + way * reward;
    const trail = trailingStop
      ? (best: number) => {
          const needed = distance(trailingStop, trailingStop.after ?? 0);
          const isFar = atMost(way > 0 ? entryPrice + needed : best, way > 0 ? best : entryPrice - needed);
          if (!isFar) return null;
          if (trailingStop.percent !== undefined) return best * (1 - (way * trailingStop.percent) / 100);
          return best - way * distance(trailingStop);
        }
      : null;
    let budget = size.amount ?? (account * size.percent) / 100;
    if (size.riskPercent !== undefined) {
      const loss =
        way > 0
          ? entryPrice * (1 + f) - stop! * (1 - s) * (1 - f)
          : stop! * (1 + s) * (1 + f) - entryPrice * (1 - f);
      budget = ((account * size.riskPercent) / 100 / loss) * entryPrice * (1 + f);
    }
    if (size.volatilityPercent !== undefined) {
      const period = size.period ?? 30;
      const returns = Array.from({ length: period }, (_, n) => close[i - 1 - n] / close[i - 2 - n] - 1);
      const mean = returns.reduce((sum, each) => sum + each, 0) / period;
      const variance = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (period - 1);
      const v = Math.sqrt(variance * candlesPerYear(interval));
      budget = v < 1e-9 ? account : account * Math.min(1, size.volatilityPercent / 100 / v);
    }
    if (below(cash, budget)) entries.cut++;
    entries.taken++;
    const cost = Math.min(budget, cash);
    cash -= cost;
    const quantity = cost / (entryPrice * (1 + f));
    const made = {
      asset: assets[a].name,
      side,
      entry: i,
      exit: i,
      entryPrice,
      exitPrice: 0,
      quantity,
      gain: 0,
    };
    positions.set(a, {
      ...made,
      ...{ candles: 0, exitReason: '', cost, carry: 0, stop, target, best: entryPrice, trail },
    });
  }

  function within(p: Position, open: number, high: number, low: number) {
    const isLong = p.side === 'long';
    const slipped = (price: number) => price * (isLong ? 1 - s : 1 + s);
    const trailed = p.trail?.(p.best) ?? null;
    let stop = p.stop !== null && p.stop > 0 ? { level: p.stop, reason: 'stopLoss' } : null;
    if (trailed !== null && trailed > 0) {
      const isTighter = !stop || (isLong ? below(stop.level, trailed) : below(trailed, stop.level));
      if (isTighter) stop = { level: trailed, reason: 'trailingStop' };
    }
    const bust = 2 * p.entryPrice;
    if (!isLong) {
      const atOpen = atMost(bust, open);
      const later = atMost(bust, high) && !(stop && below(stop.level, bust));
      if (atOpen || later) return { price: bust, reason: 'liquidation' };
    }
    if (stop && (isLong ? atMost(low, stop.level) : atMost(stop.level, high))) {
      const isBeyond = isLong ? below(open, stop.level) : below(stop.level, open);
      return { price: slipped(isBeyond ? open : stop.level), reason: stop.reason };
    }
    const { target } = p;
    if (target !== null && target > 0 && (isLong ? atMost(target, high) : atMost(low, target)))
      return { price: target, reason: 'takeProfit' };
    return null;
  }
}

/** The names of all columns that a strategy needs, those of levels included. */
function neededColumns(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(neededColumns);
  if (typeof value !== 'object' || value === null) return [];
  const own = value as Json;
  const names: string[] = [];
  if (typeof own.left === 'string') names.push(own.left);
  if (typeof own.right === 'string' && !/^(accumulate|wait|distribute)$|^[-+.\d]/.test(own.right))
    names.push(own.right);
  if (own.atr !== undefined) names.push(`atr_${(own.period as number | undefined) ?? 14}`);
  return [...names, ...Object.values(own).flatMap(neededColumns)];
}

/** Whether a condition holds; null: unknown. */
function judge(values: NaiveColumns, condition: Json | undefined, i: number): boolean | null {
  if (!condition) return false;
  if (condition.not !== undefined) {
    const inner = judge(values, condition.not as Json, i);
    return inner === null ? null : !inner;
  }
  for (const [key, decisive] of [
    ['all', false],
    ['any', true],
  ] as const) {
    if (condition[key] === undefined) continue;
    const answers = (condition[key] as Json[]).map((each) => judge(values, each, i));
    if (answers.includes(decisive)) return decisive;
    return answers.includes(null) ? null : !decisive;
  }
  const { left, op, right } = condition as Record<string, string | number>;
  const side = (text: string | number, at: number) => {
    if (text in stateCode) return stateCode[text as keyof typeof stateCode];
    const number = Number(text);
    return Number.isNaN(number) ? values.at(String(text), at) : number;
  };
  return holds(op as ScreenOp, [side(left, i), side(right, i)], [side(left, i - 1), side(right, i - 1)]);
}

/** Values of columns by their text, one at a time. */
class NaiveColumns {
  readonly #candles: Candles;
  readonly #interval: ResearchInterval;
  readonly #known = new Map<string, { column: RuleColumn; own: Candles; values: number[] }>();

  constructor(candles: Candles, interval: ResearchInterval) {
    this.#candles = candles;
    this.#interval = interval;
  }

  at(text: string, i: number): number {
    if (i < 0) return NaN;
    let known = this.#known.get(text);
    if (!known) {
      const column = parseColumn(text, 'x', { interval: this.#interval });
      const own = this.#series(column.interval);
      known = { column, own, values: this.#values(column, own) };
      this.#known.set(text, known);
    }
    const { column, own, values } = known;
    let at = i;
    if (column.interval !== null) {
      const closesAt = this.#candles.time[i] + intervalMs(this.#interval);
      const long = intervalMs(column.interval);
      at = own.time.findLastIndex((open) => open + long <= closesAt);
    }
    return (values[at - column.back] ?? NaN) * column.factor;
  }

  #series(interval: ResearchInterval | null): Candles {
    const { time } = this.#candles;
    if (interval === null || time.length === 0) return this.#candles;
    const endMs = time[time.length - 1] + intervalMs(this.#interval);
    return resampleCandles(this.#candles, { bucketMs: intervalMs(interval), firstMs: time[0], endMs });
  }

  #values({ field, interval }: RuleColumn, own: Candles): number[] {
    const rows = [...own.time.keys()];
    if (field.kind === 'price') return [...own[field.column]];
    if (field.kind === 'change')
      return rows.map((i) => (own.close[i] / (own.close[i - field.candles] ?? NaN) - 1) * 100);
    if (field.kind === 'indicator')
      return [...computeIndicator(indicatorByName(field.indicator.name), own, field.params)[field.output]];
    const codes: number[] = [...computeCoreLine(sliceCandles(own, 0, own.time.length)).state];
    if (field.kind === 'state') return codes.map((code) => (code === stateCode.none ? NaN : code));
    const long = intervalMs(interval ?? this.#interval);
    return rows.map((i) => {
      let first = i;
      while (codes[first - 1] === codes[i]) first--;
      return codes[i] === stateCode.none ? NaN : (own.time[i] + long - own.time[first]) / 86_400_000;
    });
  }
}
