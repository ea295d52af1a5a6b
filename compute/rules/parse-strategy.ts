import { fieldError } from '../model/errors.js';
import type { AppError } from '../model/errors.js';
import type { ResearchInterval } from '../model/interval.js';
import { shortestColumn, type RuleColumn } from './rule-column.js';
import { columnsIn, readCondition } from './rule-condition.js';
import {
  isJsonObject,
  namesUsed,
  readRuleParams,
  refuseUnknownKeys,
  valuesOfParams,
  type RuleParams,
} from './rule-params.js';
import { isStateName } from './screen-condition.js';
import { RuleReader, type RuleRange } from './rule-reader.js';
import {
  ruleSides,
  type RuleDistance,
  type RuleSize,
  type SideRules,
  type StrategyRules,
} from './strategy-rules.js';

export interface ParseStrategyOptions {
  /** The interval of the candles; null: any. */
  interval?: ResearchInterval | null;
  /** Values of parameters; the others have their defaults. */
  params?: Readonly<Record<string, unknown>>;
  /** The path of the strategy. */
  at?: string;
}

const most = { comparisons: 32, columns: 32, kibibytes: 16 } as const;

const keys = {
  strategy: ['params', 'long', 'short', 'size'],
  side: ['entry', 'exit', 'stopLoss', 'takeProfit', 'trailingStop', 'maxCandles'],
};

const ranges = {
  percent: { least: 0, isAbove: true, most: 100, isBelow: true },
  profit: { least: 0, isAbove: true, most: 1000 },
  upTo100: { least: 0, isAbove: true, most: 100 },
  period: { least: 1, most: 500, isWhole: true },
  returns: { least: 2, most: 500, isWhole: true },
  after: { least: 0 },
  amount: { least: 1 },
  candles: { least: 1, most: 100_000, isWhole: true },
} as const satisfies Record<string, RuleRange>;

export const defaultPeriods = { atr: 14, volatility: 30 } as const;

/**
 * Reads a strategy in the language of compute/rules/README.md, with its parameters filled in. Throws `invalid_input` whose `field` is
 * the path of the fault; of several, the first in the order of the text.
 */
export function parseStrategy(
  value: unknown,
  { interval = null, params: given = {}, at = 'strategy' }: ParseStrategyOptions = {},
): StrategyRules {
  if (!isJsonObject(value) || !ruleSides.some((side) => side in value))
    throw fieldError(at, 'a strategy needs "long" or "short"');
  checkSize(value, at);
  const { params, values, paramsFault, givenFault } = readParams(value, given, at);
  const reader = new RuleReader(interval, params, values, paramsFault);
  const rules: StrategyRules = { long: null, short: null, size: null, params, values, columns: [] };
  for (const key of Object.keys(value)) {
    refuseUnknownKeys({ [key]: 0 }, keys.strategy, at);
    if (key === 'params' && paramsFault) throw paramsFault;
    if (key === 'long' || key === 'short') rules[key] = readSide(value[key], `${at}.${key}`, reader);
    if (key === 'size') rules.size = readSize(value, `${at}.size`, reader);
  }
  if (givenFault) throw givenFault;
  const columns = [rules.long, rules.short]
    .flatMap((side) => (side ? [side.entry, ...(side.exit ? [side.exit] : [])] : []))
    .flatMap(columnsIn);
  rules.columns = [...new Map(columns.map((column): [string, RuleColumn] => [column.name, column])).values()];
  return rules;
}

function readParams(value: Record<string, unknown>, given: Readonly<Record<string, unknown>>, at: string) {
  const { params: declared, ...rest } = value;
  let params: RuleParams = {};
  let values: Record<string, number> = {};
  let paramsFault: AppError | undefined;
  let givenFault: AppError | undefined;
  try {
    params = readRuleParams(declared, namesUsed(rest), `${at}.params`);
    values = valuesOfParams(params, {});
    try {
      values = valuesOfParams(params, given);
    } catch (error) {
      givenFault = error as AppError;
    }
  } catch (error) {
    paramsFault = error as AppError;
  }
  return { params, values, paramsFault, givenFault };
}

/** Refuses a strategy that is too large, before it is read. */
function checkSize(value: Record<string, unknown>, at: string): void {
  const bytes = JSON.stringify(value).length;
  if (bytes > most.kibibytes * 1024)
    throw fieldError(
      at,
      `a strategy has at most ${most.kibibytes} KiB of JSON, found ${Math.ceil(bytes / 1024)}`,
    );
  const counted = { comparisons: 0, columns: new Set<string>() };
  countParts(value, counted);
  if (counted.comparisons > most.comparisons)
    throw fieldError(
      at,
      `a strategy has at most ${most.comparisons} comparisons, found ${counted.comparisons}`,
    );
  if (counted.columns.size > most.columns)
    throw fieldError(at, `a strategy has at most ${most.columns} columns, found ${counted.columns.size}`);
}

function countParts(value: unknown, counted: { comparisons: number; columns: Set<string> }): void {
  if (typeof value !== 'object' || value === null) return;
  if ('left' in value && 'op' in value) {
    counted.comparisons++;
    for (const side of Object.entries(value))
      if (side[0] !== 'op' && typeof side[1] === 'string' && isColumnText(side[1]))
        counted.columns.add(shortestColumn(side[1]));
  }
  for (const each of Object.values(value)) countParts(each, counted);
}

/** Whether a side of a comparison is a column: neither a number, nor a parameter in place of one, nor a state. */
const isColumnText = (text: string): boolean =>
  /^[a-z{]/i.test(text.trim()) && !/^\{[^{}]*\}$/.test(text.trim()) && !isStateName(text);

function readSide(value: unknown, at: string, reader: RuleReader): SideRules {
  if (!isJsonObject(value)) throw fieldError(at, `expected {${keys.side.join(', ')}}`);
  if (!('entry' in value)) throw fieldError(`${at}.entry`, '"entry" is missing');
  const side: Partial<SideRules> = {};
  for (const [key, part] of Object.entries(value)) {
    const path = `${at}.${key}`;
    refuseUnknownKeys({ [key]: 0 }, keys.side, at);
    if (key === 'entry' || key === 'exit') side[key] = readCondition(part, path, reader);
    else if (key === 'stopLoss') side[key] = readDistance(part, path, reader, ranges.percent, []);
    else if (key === 'trailingStop') side[key] = readTrailing(part, path, reader);
    else if (key === 'takeProfit') side[key] = readTarget(part, path, reader, 'stopLoss' in value);
    else side.maxCandles = reader.number(part, key, path, ranges.candles);
  }
  const {
    entry,
    exit = null,
    stopLoss = null,
    takeProfit = null,
    trailingStop = null,
    maxCandles = null,
  } = side;
  return { entry: entry!, exit, stopLoss, takeProfit, trailingStop, maxCandles };
}

/** The one key among `units` that an object has. */
function onlyUnit<const U extends string>(value: unknown, units: readonly U[], at: string): U {
  const expected = `expected one of ${units.join(', ')}`;
  if (!isJsonObject(value)) throw fieldError(at, `${expected}, found ${JSON.stringify(value)}`);
  const found = Object.keys(value).filter((key): key is U => units.includes(key as U));
  if (found.length !== 1) {
    const given = found.length > 0 ? found : Object.keys(value);
    throw fieldError(at, `${expected}, found ${given.join(', ') || 'none'}`);
  }
  return found[0];
}

/** A number of `unit` and a period, in the order of the text. */
function readParts(
  value: Record<string, unknown>,
  unit: string,
  range: RuleRange,
  at: string,
  reader: RuleReader,
  others: Readonly<Record<string, RuleRange>>,
): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const [key, part] of Object.entries(value)) {
    refuseUnknownKeys({ [key]: 0 }, [unit, ...Object.keys(others)], at);
    parts[key] = reader.number(part, key, `${at}.${key}`, key === unit ? range : others[key]);
  }
  return parts;
}

function readDistance(
  value: unknown,
  at: string,
  reader: RuleReader,
  percent: RuleRange,
  others: readonly string[],
): RuleDistance & { after?: number } {
  const unit = onlyUnit(value, ['percent', 'atr'], at);
  const known = {
    ...(unit === 'atr' ? { period: ranges.period } : {}),
    ...Object.fromEntries(others.map((name) => [name, ranges.after])),
  };
  const range = unit === 'atr' ? ranges.upTo100 : percent;
  const {
    [unit]: amount,
    period = defaultPeriods.atr,
    ...rest
  } = readParts(value as Record<string, unknown>, unit, range, at, reader, known);
  return unit === 'atr' ? { unit, value: amount, period, ...rest } : { unit, value: amount, ...rest };
}

function readTrailing(value: unknown, at: string, reader: RuleReader): SideRules['trailingStop'] {
  const { after = 0, ...distance } = readDistance(value, at, reader, ranges.percent, ['after']);
  return { ...distance, after };
}

function readTarget(
  value: unknown,
  at: string,
  reader: RuleReader,
  hasStop: boolean,
): SideRules['takeProfit'] {
  const unit = onlyUnit(value, ['percent', 'atr', 'r'], at);
  if (unit !== 'r') return readDistance(value, at, reader, ranges.profit, []);
  const entries = Object.keys(value as object);
  if (!hasStop && entries[0] === 'r') throw fieldError(`${at}.r`, '"r" needs a stopLoss');
  const { r } = readParts(value as Record<string, unknown>, 'r', ranges.upTo100, at, reader, {});
  return { unit, value: r };
}

function readSize(strategy: Record<string, unknown>, at: string, reader: RuleReader): RuleSize {
  const { size } = strategy;
  const kinds = ['percent', 'amount', 'riskPercent', 'volatilityPercent'] as const;
  const kind = onlyUnit(size, kinds, at);
  const isVolatility = kind === 'volatilityPercent';
  const range = {
    percent: ranges.upTo100,
    amount: ranges.amount,
    riskPercent: ranges.upTo100,
    volatilityPercent: ranges.profit,
  };
  const parts = readParts(
    size as Record<string, unknown>,
    kind,
    range[kind],
    at,
    reader,
    isVolatility ? { period: ranges.returns } : {},
  );
  if (kind === 'riskPercent')
    for (const side of ruleSides)
      if (side in strategy && isJsonObject(strategy[side]) && !('stopLoss' in strategy[side]))
        throw fieldError(`${at}.riskPercent`, `"riskPercent" needs a stopLoss for ${side}`);
  if (!isVolatility) return { kind, value: parts[kind] };
  return { kind, value: parts[kind], period: parts.period ?? defaultPeriods.volatility };
}
