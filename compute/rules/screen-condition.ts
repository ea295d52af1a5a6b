import { stateCode, type TrendState } from '../model/core-line.js';
import { AppError } from '../model/errors.js';
import { field, type Value } from '../model/field.js';
import { longestFieldName, parseScreenField, type ScreenField } from './screen-field.js';

export const screenOps = ['<', '<=', '>', '>=', '=', 'crosses_above', 'crosses_below'] as const;

export type ScreenOp = (typeof screenOps)[number];

export const conditionField = field.object('a condition', {
  left: field.text('field: rsi_14, close, adx_14, state', { maxLength: longestFieldName }),
  op: field.choice('comparison', screenOps),
  right: field.text('number, field or trend state', { maxLength: longestFieldName }),
});

/** A condition as text. */
export type ScreenConditionText = Value<typeof conditionField>;

/** One side of a condition: a field with its name, or a number; a trend state is the number of its code. */
export type Operand = { name: string; field: ScreenField } | { value: number };

export interface ScreenCondition {
  left: Operand;
  op: ScreenOp;
  right: Operand;
  /** Whether the condition also reads the candle before. */
  crosses: boolean;
}

/** Parses a condition. Throws `invalid_input` with the path of the faulty part, such as `conditions[0].left`. */
export function parseCondition({ left, op, right }: ScreenConditionText, at: string): ScreenCondition {
  const condition = {
    left: parseField(left, `${at}.left`),
    op,
    right: parseRight(right, `${at}.right`),
    crosses: op === 'crosses_above' || op === 'crosses_below',
  };
  const isState = (side: Operand) => 'field' in side && side.field.kind === 'state';
  if (isState(condition.left)) {
    if (op !== '=') throw fault(`"state" is compared with "=", not with "${op}"`, `${at}.op`);
    if (!isStateName(right))
      throw fault(`"state" is one of ${stateNames.join(', ')}, not "${right}"`, `${at}.right`);
  } else if (isState(condition.right) || isStateName(right))
    throw fault(`"${right.trim()}" can only stand on the right of "state ="`, `${at}.right`);
  return condition;
}

/** Parses a field; its name becomes lower case. */
export function parseField(text: string, at: string): { name: string; field: ScreenField } {
  return { name: text.trim().toLowerCase(), field: parseScreenField(text, at) };
}

function parseRight(text: string, at: string): Operand {
  const name = text.trim().toLowerCase();
  if (isStateName(name)) return { value: stateCode[name] };
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(name)) return parseField(text, at);
  const value = Number(name);
  if (!Number.isFinite(value)) throw fault(`"${name}" is too large a number`, at);
  return { value };
}

const stateNames = ['accumulate', 'wait', 'distribute'] as const satisfies TrendState[];

const isStateName = (text: string): text is TrendState =>
  stateNames.some((name) => name === text.trim().toLowerCase());

const fault = (message: string, field: string) =>
  new AppError('invalid_input', message, { details: { field } });

/** Numbers that agree to nine digits count as equal: smaller differences are rounding. */
const sameShare = 1e-9;

/** 1 where the first is greater, -1 where it is less, 0 where both are equal; NaN where one is NaN. */
function order(left: number, right: number): number {
  if (Math.abs(left - right) <= sameShare * Math.max(Math.abs(left), Math.abs(right))) return 0;
  return Math.sign(left - right);
}

/** Whether a condition holds for the values of both sides, now and one candle before; null where one is NaN. */
export function holds(
  op: ScreenOp,
  now: readonly [number, number],
  before: readonly [number, number],
): boolean | null {
  const [is, was] = [order(...now), order(...before)];
  const crosses = op === 'crosses_above' || op === 'crosses_below';
  if (Number.isNaN(is) || (crosses && Number.isNaN(was))) return null;
  switch (op) {
    case '<':
      return is < 0;
    case '<=':
      return is <= 0;
    case '>':
      return is > 0;
    case '>=':
      return is >= 0;
    case '=':
      return is === 0;
    case 'crosses_above':
      return was <= 0 && is > 0;
    case 'crosses_below':
      return was >= 0 && is < 0;
  }
}
