import { stateName, type TrendState } from '../model/core-line.js';
import { AppError } from '../model/errors.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { marketNow } from './market-now.js';
import {
  holds,
  parseCondition,
  parseField,
  type Operand,
  type ScreenCondition,
  type ScreenConditionText,
} from './screen-condition.js';
import type { ScreenField } from './screen-field.js';
import { ScreenValues } from './screen-values.js';

export const screenConditions = { min: 1, max: 6 } as const;

export interface ScreenParams {
  conditions: readonly ScreenConditionText[];
  join: 'and' | 'or';
  /** A field: lowest first, or highest first with a `-` before it. Null: by asset. */
  sortBy: string | null;
  limit: number;
}

/** A number in the unit of its field, or a trend state; null where the history is too short. */
export type ScreenValue = number | TrendState | null;

export interface ScreenRow {
  asset: string;
  /** After the newest candle, by the names of the fields in the conditions and of the one sorted by. */
  values: Record<string, ScreenValue>;
  /** A candle before, for fields that are asked whether they cross. */
  before: Record<string, ScreenValue>;
  /** Which conditions hold, from 0. */
  held: number[];
}

export interface Screen {
  /** Close time of the newest candle of any asset, in ms, UTC. */
  asOf: number;
  /** Assets that have this candle: all others are `stale` and cannot match. */
  assets: number;
  stale: number;
  /** Assets that do not match and lack the history for a field of some condition. */
  skipped: number;
  /** Assets that match, beyond the limit too. */
  matched: number;
  rows: ScreenRow[];
}

/** What is asked of every asset. */
interface Plan {
  conditions: ScreenCondition[];
  join: 'and' | 'or';
  sort: { name: string; field: ScreenField; descending: boolean } | null;
}

/**
 * Assets that satisfy one to six conditions, see `parseScreenField` for what a field may be. With `and` every field must
 * have a value; with `or` a condition that lacks one does not hold. Numbers that agree to nine digits are equal. A cross
 * is one between the last two candles: on the other side or equal before, beyond now. Throws `invalid_input` for a
 * condition that cannot be read, `not_enough_history` without any candle.
 */
export function screenAssets(
  { pairs, interval, params }: MarketQuestion<ScreenParams>,
  scratch = new ScratchBuffers(),
): Screen {
  const plan = planOf(params);
  const { asOf, present, stale } = marketNow(pairs, interval);
  const verdicts = present.map((pair) =>
    scratch.within(() => judge(pair, plan, new ScreenValues(pair.candles, interval, scratch))),
  );
  const matches = verdicts.flatMap(({ match }) => (match ? [match] : []));
  return {
    asOf,
    assets: present.length,
    stale: stale.length,
    skipped: verdicts.filter(({ match, lacking }) => !match && lacking).length,
    matched: matches.length,
    rows: sortRows(matches, plan)
      .slice(0, params.limit)
      .map(({ row }) => row),
  };
}

function planOf({ conditions, join, sortBy }: ScreenParams): Plan {
  const { min, max } = screenConditions;
  if (conditions.length < min || conditions.length > max)
    throw new AppError('invalid_input', `expected ${min} to ${max} conditions, found ${conditions.length}`, {
      details: { field: 'conditions' },
    });
  const descending = sortBy?.trim().startsWith('-') ?? false;
  const sort = sortBy === null ? null : parseField(sortBy.trim().slice(Number(descending)), 'sortBy');
  return {
    conditions: conditions.map((condition, n) => parseCondition(condition, `conditions[${n}]`)),
    join,
    sort: sort && { ...sort, descending },
  };
}

interface Match {
  row: ScreenRow;
  /** NaN where it has none. */
  sortValue: number;
}

function judge(
  { asset }: PairCandles,
  { conditions, join, sort }: Plan,
  values: ScreenValues,
): { match: Match | null; lacking: boolean } {
  const valueOf = (side: Operand, before: number) =>
    'field' in side ? values.at(side.field, before) : side.value;
  const answers = conditions.map(({ left, op, right, crosses }) => {
    const now = [valueOf(left, 0), valueOf(right, 0)] as const;
    return holds(op, now, crosses ? [valueOf(left, 1), valueOf(right, 1)] : now);
  });
  const lacking = answers.includes(null);
  const isMatch = join === 'and' ? answers.every((answer) => answer === true) : answers.includes(true);
  if (!isMatch) return { match: null, lacking };
  const held = answers.flatMap((answer, n) => (answer === true ? [n] : []));
  const crossing = conditions.filter(({ crosses }) => crosses);
  const row = {
    asset,
    values: named([...fieldsOf(conditions), ...(sort ? [sort] : [])], values, 0),
    before: named(fieldsOf(crossing), values, 1),
    held,
  };
  return { match: { row, sortValue: sort ? values.at(sort.field, 0) : NaN }, lacking };
}

const fieldsOf = (conditions: readonly ScreenCondition[]) =>
  conditions.flatMap(({ left, right }) => [left, right]).filter((side) => 'field' in side);

function named(
  fields: readonly { name: string; field: ScreenField }[],
  values: ScreenValues,
  before: number,
): Record<string, ScreenValue> {
  return Object.fromEntries(
    fields.map(({ name, field }) => {
      const value = values.at(field, before);
      if (Number.isNaN(value)) return [name, null];
      return [name, field.kind === 'state' ? stateName(value) : value];
    }),
  );
}

/** Rows without a value to sort by come last; equal ones by asset. */
function sortRows(matches: Match[], { sort }: Plan): Match[] {
  const way = sort?.descending ? -1 : 1;
  const place = (value: number) => (Number.isNaN(value) ? Infinity : value * way);
  return matches.sort((a, b) => {
    const [left, right] = [place(a.sortValue), place(b.sortValue)];
    if (left !== right) return left < right ? -1 : 1;
    return a.row.asset < b.row.asset ? -1 : 1;
  });
}
