import { fieldError } from '../model/errors.js';
import type { RuleColumn } from './rule-column.js';
import { parseCondition, type ScreenCondition } from './screen-condition.js';
import { isJsonObject, refuseUnknownKeys } from './rule-params.js';
import type { RuleReader } from './rule-reader.js';

export type RuleCondition =
  | (ScreenCondition & { kind: 'compare' })
  | { kind: 'all' | 'any'; of: RuleCondition[] }
  | { kind: 'not'; of: RuleCondition };

const mostNested = 5;
const mostInList = 16;
const comparisonKeys = ['left', 'op', 'right'];
const heads = ['all', 'any', 'not'] as const;

/** Reads a condition. Throws `invalid_input` with the path of the fault that comes first in the text. */
export function readCondition(value: unknown, at: string, reader: RuleReader, depth = 1): RuleCondition {
  if (depth > mostNested) throw fieldError(at, `conditions are nested deeper than ${mostNested}`);
  if (!isJsonObject(value)) throw badShape(at);
  const head = heads.find((each) => each in value);
  if (!head) return readComparison(value, at, reader);
  if ([...comparisonKeys, ...heads].some((key) => key !== head && key in value)) throw badShape(at);
  refuseUnknownKeys(value, [head], at);
  const inner = value[head];
  if (head === 'not') return { kind: 'not', of: readCondition(inner, `${at}.not`, reader, depth + 1) };
  const found = Array.isArray(inner) ? inner.length : JSON.stringify(inner);
  if (!Array.isArray(inner) || inner.length < 1 || inner.length > mostInList)
    throw fieldError(`${at}.${head}`, `expected 1 to ${mostInList} conditions, found ${found}`);
  const of = inner.map((each, n) => readCondition(each, `${at}.${head}[${n}]`, reader, depth + 1));
  return { kind: head, of };
}

const badShape = (at: string) =>
  fieldError(at, 'expected {left, op, right}, {all: [...]}, {any: [...]} or {not: {...}}');

function readComparison(value: Record<string, unknown>, at: string, reader: RuleReader): RuleCondition {
  if (comparisonKeys.some((key) => !(key in value))) throw badShape(at);
  refuseUnknownKeys(value, comparisonKeys, at);
  const texts = Object.entries(value).map(([key, part]) => [
    key,
    key === 'op' ? part : reader.operand(part, `${at}.${key}`, key === 'right'),
  ]);
  const text = Object.fromEntries(texts) as Record<'left' | 'op' | 'right', string>;
  return { kind: 'compare', ...parseCondition(text, at, { interval: reader.interval }) };
}

/** The columns that a condition reads, in its order. */
export function columnsIn(condition: RuleCondition): RuleColumn[] {
  if (condition.kind === 'compare')
    return [condition.left, condition.right].filter((side) => 'field' in side);
  return [condition.of].flat().flatMap(columnsIn);
}
