import { stateCode, type TrendState } from '../model/core-line.js';
import { AppError } from '../model/errors.js';
import { parseScreenField, type ScreenField } from './screen-field.js';

export const screenOps = ['<', '<=', '>', '>=', '=', 'crosses_above', 'crosses_below'] as const;

export type ScreenOp = (typeof screenOps)[number];

/** A condition as it was asked: a field, and a number, a field or a state that it is compared with. */
export interface ScreenConditionText {
  left: string;
  op: ScreenOp;
  right: string;
}

/** One side of a condition: a field under the name it was given, or a number; states are numbers by their code. */
export type Operand = { name: string; field: ScreenField } | { value: number };

export interface ScreenCondition {
  left: Operand;
  op: ScreenOp;
  right: Operand;
  /** Whether the candle before has a say. */
  crosses: boolean;
}

/** What a condition asks. Throws `invalid_input`, with `field` saying where, as in `conditions[0].left`. */
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

/** A field under its name in lower case. */
export function parseField(text: string, at: string): { name: string; field: ScreenField } {
  return { name: text.trim().toLowerCase(), field: parseScreenField(text, at) };
}

function parseRight(text: string, at: string): Operand {
  const name = text.trim().toLowerCase();
  if (isStateName(name)) return { value: stateCode[name] };
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(name) ? { value: Number(name) } : parseField(text, at);
}

const stateNames = ['accumulate', 'wait', 'distribute'] as const satisfies TrendState[];

const isStateName = (text: string): text is TrendState =>
  stateNames.some((name) => name === text.trim().toLowerCase());

const fault = (message: string, field: string) =>
  new AppError('invalid_input', message, { details: { field } });

/** Numbers that agree to nine digits count as equal: more than that is rounding. */
const sameShare = 1e-9;

/** 1 where the first is greater, -1 where it is less, 0 where both are equal; NaN where one is not known. */
function order(left: number, right: number): number {
  if (Math.abs(left - right) <= sameShare * Math.max(Math.abs(left), Math.abs(right))) return 0;
  return Math.sign(left - right);
}

/** Whether a condition holds of what both sides are now and were a candle before; null where that is not known. */
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
