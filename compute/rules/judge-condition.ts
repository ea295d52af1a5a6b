import type { ScratchBuffers } from '../model/scratch-buffers.js';
import type { RuleColumn } from './rule-column.js';
import type { RuleColumns } from './rule-columns.js';
import type { RuleCondition } from './rule-condition.js';
import { order, sameShare, type Operand, type ScreenCondition, type ScreenOp } from './screen-condition.js';

// A candle has a byte, and a word has four candles, so that one step judges four. What a condition is on a candle, as bits:
// 00 false, 01 unknown, 11 true. So `all` is the "and" of its parts, and `any` the "or".

/** How the left side of a comparison stands to the right one; `none` where one of them has no value. */
const standing = { less: 0, equal: 1, greater: 2, none: 3 } as const;

/** The lowest bit of each of the four bytes. */
const lowest = 0x01010101;

/** Where a comparison holds: a mask for each standing. */
type Holding = readonly [less: number, equal: number, greater: number];

const holding: Record<ScreenOp, Holding> = {
  '<': [-1, 0, 0],
  '<=': [-1, -1, 0],
  '>': [0, 0, -1],
  '>=': [0, -1, -1],
  '=': [0, -1, 0],
  crosses_above: [0, 0, -1],
  crosses_below: [-1, 0, 0],
};

/**
 * Judges the conditions of one strategy on every candle. Answers live in `scratch`. Sides that several comparisons share are
 * compared once.
 */
export class ConditionJudge {
  readonly #columns: RuleColumns;
  readonly #length: number;
  readonly #scratch: ScratchBuffers;
  readonly #standings = new Map<string, Int32Array>();

  constructor(columns: RuleColumns, length: number, scratch: ScratchBuffers) {
    this.#columns = columns;
    this.#length = length;
    this.#scratch = scratch;
  }

  /** The truth of a condition on every candle. */
  judge(condition: RuleCondition): Int32Array {
    if (condition.kind === 'compare') return this.#compare(condition);
    if (condition.kind === 'not') return negate(this.judge(condition.of));
    const [first, ...rest] = condition.of.map((each) => this.judge(each));
    for (const other of rest)
      if (condition.kind === 'all') for (let i = 0; i < first.length; i++) first[i] &= other[i];
      else for (let i = 0; i < first.length; i++) first[i] |= other[i];
    return first;
  }

  #compare({ left, op, right, crosses }: ScreenCondition): Int32Array {
    const standings = this.#standingsOf(left, right);
    const result = wordsOf(this.#scratch.bytes(this.#length));
    (crosses ? judgeCrossings : judgeStandings)(standings, holding[op], result);
    return result;
  }

  /** How the sides stand on every candle: the standing one candle before x 4 + the standing now. */
  #standingsOf(left: Operand, right: Operand): Int32Array {
    const name = JSON.stringify([left, right].map((side) => ('value' in side ? side.value : side.name)));
    let found = this.#standings.get(name);
    if (!found) {
      const bytes = this.#scratch.bytes(this.#length);
      const values = this.#columns.column(left as RuleColumn);
      if ('value' in right) standToNumber(values, right.value, bytes);
      else standToColumn(values, this.#columns.column(right), bytes);
      found = wordsOf(bytes);
      this.#standings.set(name, found);
    }
    return found;
  }
}

/** Bytes as words of four; what is behind the last byte in its word has no meaning. */
export const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Int32Array =>
  new Int32Array(buffer, byteOffset, Math.ceil(length / 4));

function negate(words: Int32Array): Int32Array {
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const no = lowest & ~word;
    words[i] = (no << 1) | no | (word & ~(word >>> 1) & lowest);
  }
  return words;
}

/** Where it holds, of standings in the lowest two bits of each byte. */
const holdsOn = (word: number, none: number, less: number, equal: number, greater: number): number =>
  (lowest & ~(word | (word >>> 1)) & less) |
  (word & lowest & ~none & equal) |
  ((word >>> 1) & lowest & ~none & greater);

const noneOn = (word: number): number => word & (word >>> 1) & lowest;

function judgeStandings(standings: Int32Array, [less, equal, greater]: Holding, result: Int32Array): void {
  for (let i = 0; i < result.length; i++) {
    const none = noneOn(standings[i]);
    const yes = holdsOn(standings[i], none, less, equal, greater);
    result[i] = (yes << 1) | yes | none;
  }
}

/** It crosses if it did not hold one candle before. */
function judgeCrossings(standings: Int32Array, [less, equal, greater]: Holding, result: Int32Array): void {
  for (let i = 0; i < result.length; i++) {
    const before = standings[i] >>> 2;
    const noneBefore = noneOn(before);
    const none = noneOn(standings[i]);
    const yes =
      holdsOn(standings[i], none, less, equal, greater) &
      ~noneBefore &
      ~holdsOn(before, noneBefore, less, equal, greater);
    result[i] = (yes << 1) | yes | none | noneBefore;
  }
}

// Two loops, because one that asks on each candle whether the right side is a number takes longer.
function standToColumn(left: Float64Array, right: Float64Array, result: Uint8Array): void {
  let was: number = standing.none;
  for (let i = 0; i < result.length; i++) {
    const b = right[i];
    const is = standingOf(left[i], b, Math.abs(b));
    result[i] = (was << 2) | is;
    was = is;
  }
}

function standToNumber(left: Float64Array, right: number, result: Uint8Array): void {
  const size = Math.abs(right);
  let was: number = standing.none;
  for (let i = 0; i < result.length; i++) {
    const is = standingOf(left[i], right, size);
    result[i] = (was << 2) | is;
    was = is;
  }
}

/** As `order` has it, which is asked where the sides are near: most are further apart than twice what counts as equal. */
function standingOf(a: number, b: number, sizeOfB: number): number {
  const gap = a - b;
  if (Math.abs(gap) > 2 * sameShare * (Math.abs(a) + sizeOfB))
    return gap > 0 ? standing.greater : standing.less;
  const way = order(a, b);
  return way > 0 ? standing.greater : way < 0 ? standing.less : way === 0 ? standing.equal : standing.none;
}
