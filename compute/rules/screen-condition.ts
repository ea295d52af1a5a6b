import { stateCode, type TrendState } from '../model/core-line.js';
import { fieldError } from '../model/errors.js';
import { field, type Value } from '../model/field.js';
import { numberIn, parseColumn, type ColumnPlace, type RuleColumn } from './rule-column.js';
import { longestFieldName } from './screen-field.js';

export const screenOps = ['<', '<=', '>', '>=', '=', 'crosses_above', 'crosses_below'] as const;

export type ScreenOp = (typeof screenOps)[number];

export const conditionField = field.object('a condition', {
  left: field.text('column: rsi_14, close[1], volume_sma_20 * 2, state', { maxLength: longestFieldName }),
  op: field.choice('comparison', screenOps),
  right: field.text('number, column or trend state', { maxLength: longestFieldName }),
});

/** A condition as text. */
export type ScreenConditionText = Value<typeof conditionField>;

/** One side of a comparison: a column, or a number; a trend state is the number of its code. */
export type Operand = RuleColumn | { value: number };

export interface ScreenCondition {
  left: Operand;
  op: ScreenOp;
  right: Operand;
  /** Whether the condition also reads the candle before. */
  crosses: boolean;
}

/** The keys of a comparison. */
const parts = ['left', 'op', 'right'] as const;

/**
 * Parses a comparison. Throws `invalid_input` with the path of the faulty part, such as `conditions[0].left`; of several, the
 * first in the order of the text.
 */
export function parseCondition(
  text: Record<(typeof parts)[number], string>,
  at: string,
  place: ColumnPlace = 'screen',
): ScreenCondition {
  const { right } = text;
  const op = text.op as ScreenOp;
  const faults = new Map<string, unknown>();
  const read = <T>(part: string, parse: () => T): T | null => {
    try {
      return parse();
    } catch (error) {
      faults.set(part, error);
      return null;
    }
  };
  const leftSide = read('left', () => parseColumn(text.left, `${at}.left`, place));
  const ofState = isState(leftSide);
  read('op', () => checkOp(op, ofState, `${at}.op`));
  const rightSide = read('right', () => parseRight(right, ofState, leftSide === null, `${at}.right`, place));
  for (const part of Object.keys(text)) if (faults.has(part)) throw faults.get(part);
  return {
    left: leftSide!,
    op,
    right: rightSide!,
    crosses: op === 'crosses_above' || op === 'crosses_below',
  };
}

const isState = (side: Operand | null) => side !== null && 'field' in side && side.field.kind === 'state';

function checkOp(op: string, ofState: boolean, at: string): void {
  if (!screenOps.some((each) => each === op))
    throw fieldError(at, `"op" must be one of ${screenOps.join(', ')}, found ${JSON.stringify(op)}`);
  if (ofState && op !== '=') throw fieldError(at, `"state" is compared with "=", not with "${op}"`);
}

/** Parses what stands on the right; `anything`: of a left side that is unknown. */
function parseRight(
  text: string,
  ofState: boolean,
  anything: boolean,
  at: string,
  place: ColumnPlace,
): Operand {
  const name = text.trim().toLowerCase();
  const state = stateNames.find((each) => each === name);
  if (ofState && !state) throw fieldError(at, `"state" is one of ${stateNames.join(', ')}, not "${text}"`);
  const misplaced = () => fieldError(at, `"${text.trim()}" can only stand on the right of "state ="`);
  if (state) {
    if (!ofState && !anything) throw misplaced();
    return { value: stateCode[state] };
  }
  const value = numberIn(name, at);
  if (value !== undefined) return { value };
  const column = parseColumn(text, at, place);
  if (isState(column)) throw misplaced();
  return column;
}

const stateNames = ['accumulate', 'wait', 'distribute'] as const satisfies TrendState[];

/** Whether a text is the name of a trend state. */
export const isStateName = (text: string): boolean =>
  stateNames.some((name) => name === text.trim().toLowerCase());
/** Numbers that agree to nine digits count as equal: smaller differences are rounding. */
export const sameShare = 1e-9;

/** 1 where the first is greater, -1 where it is less, 0 where both are equal to nine digits; NaN where one is NaN. */
export function order(left: number, right: number): number {
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
