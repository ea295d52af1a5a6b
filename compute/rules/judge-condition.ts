import type { RuleColumns } from './rule-columns.js';
import type { RuleCondition } from './rule-condition.js';
import {
  sameShare,
  screenOps,
  type Operand,
  type ScreenCondition,
  type ScreenOp,
} from './screen-condition.js';

/** What a condition is on a candle, as bits: `all` is the "and" of its parts, `any` the "or"; `not` swaps true and false. */
const truth = { false: 0b00, unknown: 0b01, true: 0b11 } as const;

/** How the left side of a comparison stands to the right one; `none` where one of them has no value. */
const standing = { less: 0, equal: 1, greater: 2, none: 3 } as const;

/** What each comparison is, by the standing one candle before x 4 + the standing now. */
const tables = Object.fromEntries(screenOps.map((op) => [op, tableOf(op)])) as Record<ScreenOp, Uint8Array>;

function tableOf(op: ScreenOp): Uint8Array {
  const { less, equal, greater, none } = standing;
  const crosses = op === 'crosses_above' || op === 'crosses_below';
  const holding: Record<ScreenOp, readonly number[]> = {
    '<': [less],
    '<=': [less, equal],
    '>': [greater],
    '>=': [greater, equal],
    '=': [equal],
    crosses_above: [greater],
    crosses_below: [less],
  };
  return Uint8Array.from({ length: 16 }, (_, n) => {
    const [was, is] = [n >> 2, n & 3];
    if (is === none || (crosses && was === none)) return truth.unknown;
    // It crosses if it did not hold before.
    return holding[op].includes(is) && !(crosses && was === is) ? truth.true : truth.false;
  });
}

/** The truth of a condition on every candle. */
export function judgeCondition(condition: RuleCondition, columns: RuleColumns, length: number): Uint8Array {
  if (condition.kind === 'compare') return compare(condition, columns, length);
  if (condition.kind === 'not') {
    const inner = judgeCondition(condition.of, columns, length);
    for (let i = 0; i < length; i++) if (inner[i] !== truth.unknown) inner[i] = truth.true - inner[i];
    return inner;
  }
  const [first, ...rest] = condition.of.map((each) => judgeCondition(each, columns, length));
  for (const other of rest)
    if (condition.kind === 'all') for (let i = 0; i < length; i++) first[i] &= other[i];
    else for (let i = 0; i < length; i++) first[i] |= other[i];
  return first;
}

function compare({ left, op, right }: ScreenCondition, columns: RuleColumns, length: number): Uint8Array {
  const values = sideOf(left, columns);
  const result = new Uint8Array(length);
  if ('value' in right) compareNumber(values as Float64Array, right.value, tables[op], result);
  else compareColumns(values as Float64Array, columns.column(right), tables[op], result);
  return result;
}

const sideOf = (side: Operand, columns: RuleColumns): Float64Array | number =>
  'value' in side ? side.value : columns.column(side);

// Two loops, because one that asks on each candle whether the right side is a number takes longer.
function compareColumns(
  left: Float64Array,
  right: Float64Array,
  table: Uint8Array,
  result: Uint8Array,
): void {
  let was: number = standing.none;
  for (let i = 0; i < result.length; i++) {
    const [a, b] = [left[i], right[i]];
    const gap = a - b;
    const same = sameShare * Math.max(Math.abs(a), Math.abs(b));
    const is = gap > same ? 2 : gap < -same ? 0 : Number.isNaN(gap) ? 3 : 1;
    result[i] = table[was * 4 + is];
    was = is;
  }
}

function compareNumber(left: Float64Array, right: number, table: Uint8Array, result: Uint8Array): void {
  const size = Math.abs(right);
  let was: number = standing.none;
  for (let i = 0; i < result.length; i++) {
    const gap = left[i] - right;
    const same = sameShare * Math.max(Math.abs(left[i]), size);
    const is = gap > same ? 2 : gap < -same ? 0 : Number.isNaN(gap) ? 3 : 1;
    result[i] = table[was * 4 + is];
    was = is;
  }
}
