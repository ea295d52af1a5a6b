import { defaultPeriods } from './parse-strategy.js';
import { shortestColumn } from './rule-column.js';
import { fillParams, isJsonObject } from './rule-params.js';
import type { StrategyRules } from './strategy-rules.js';

/** The keys of all objects of a strategy, in the order in which they are written. */
const keyOrder = [
  'params',
  'default',
  'min',
  'max',
  'step',
  'long',
  'short',
  'size',
  'entry',
  'exit',
  'stopLoss',
  'takeProfit',
  'trailingStop',
  'maxCandles',
  'left',
  'op',
  'right',
  'all',
  'any',
  'not',
  'percent',
  'atr',
  'r',
  'amount',
  'riskPercent',
  'volatilityPercent',
  'period',
  'after',
];

const place = (key: string) => keyOrder.indexOf(key);

/** A strategy in JSON, as it was read or with other spellings. */
export type StrategyJson = Readonly<Record<string, unknown>>;

/**
 * A strategy that `parseStrategy` accepts in its one spelling: keys in a fixed order, columns in lower case, the shortest
 * numbers, without what equals a default. Parameters are in alphabetical order.
 */
export function canonicalRules(strategy: unknown): StrategyJson {
  const { params, ...rest } = strategy as Record<string, unknown>;
  const rules = canonical(rest, 'strategy') as StrategyJson;
  const named = Object.entries(params ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (named.length === 0) return rules;
  return {
    params: Object.fromEntries(named.map(([name, spec]) => [name, canonical(spec, 'param')])),
    ...rules,
  };
}

/** The rules with the values of parameters in place of their names, in their one spelling. */
export function filledRules(strategy: unknown, { params, values }: StrategyRules): StrategyJson {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = fillParams(value, params, values, 'strategy');
      return /^\{[^{}]*\}$/.test(value) ? Number(text) : text;
    }
    if (Array.isArray(value)) return value.map(fill);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part)]));
  };
  const { params: _params, ...rest } = strategy as Record<string, unknown>;
  return canonicalRules(fill(rest));
}

/** The text whose SHA-256 is the hash of a strategy: its rules alone, without values given for its parameters. */
export const canonicalText = (strategy: unknown): string => JSON.stringify(canonicalRules(strategy));

function canonical(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((each) => canonical(each, key));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.keys(value)
        .sort((a, b) => place(a) - place(b))
        .filter((name) => !isDefault(name, value, key))
        .map((name) => [name, canonical(value[name], name)]),
    );
  return typeof value === 'string' && (key === 'left' || key === 'right') ? canonicalOperand(value) : value;
}

function canonicalOperand(text: string): string | number {
  const column = shortestColumn(text);
  return column !== '' && Number.isFinite(Number(column)) ? Number(column) : column;
}

function isDefault(name: string, parent: Record<string, unknown>, key: string): boolean {
  const value = parent[name];
  if (name === 'step') return key === 'param' && value === 1;
  if (name === 'after') return value === 0;
  if (name !== 'period') return false;
  return value === (key === 'size' ? defaultPeriods.volatility : defaultPeriods.atr);
}
