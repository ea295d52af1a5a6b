import { defineAnalysis } from '../analysis.js';
import { stateName, trendStates, type TrendState } from '../model/core-line.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { marketNow } from './market-now.js';
import {
  conditionField,
  holds,
  parseCondition,
  type Operand,
  type ScreenCondition,
} from '../rules/screen-condition.js';
import { parseColumn, type RuleColumn } from '../rules/rule-column.js';
import { longestFieldName } from '../rules/screen-field.js';
import { ScreenValues } from '../rules/screen-values.js';

const screenConditions = { min: 1, max: 6 } as const;

const screenParams = {
  conditions: field.list('conditions that an asset has to satisfy', conditionField, {
    ...screenConditions,
    example: [{ left: 'rsi_14', op: '<', right: '70' }],
  }),
  join: field.choice('whether all conditions have to hold, or one', ['and', 'or'], { default: 'and' }),
  sortBy: field.nullable(
    field.text('field to sort by, lowest first; highest first with a - before it; null: by asset', {
      maxLength: longestFieldName,
    }),
    { default: null },
  ),
  limit: field.integer('most rows', { min: 1, max: 100, default: 25 }),
};

export type ScreenParams = Values<typeof screenParams>;

const screenValue = field.nullable(
  field.union<number | TrendState>(
    'a number in the unit of its field, or a trend state; null where the history is too short',
    field.number('value of the field'),
    field.choice('trend state', trendStates),
  ),
);

export type ScreenValue = Value<typeof screenValue>;

const screenRow = field.object('an asset that matches', {
  asset: field.text('asset symbol'),
  values: field.record(
    'after the newest candle, by field: those of the conditions and of sortBy',
    screenValue,
  ),
  before: field.record('one candle before, by field: those of conditions that ask for a cross', screenValue),
  held: field.list('the conditions that hold', field.count('position of the condition, from 0')),
});

export type ScreenRow = Value<typeof screenRow>;

const screenOutput = field.object('the assets that match', {
  asOf: field.time('close time of the newest candle of any asset'),
  assets: field.count('assets that have the newest candle'),
  stale: field.count('assets without the newest candle, which are left out'),
  skipped: field.count('assets that do not match and lack the history for a field of some condition'),
  matched: field.count('assets that match, beyond the limit too'),
  rows: field.list('the assets that match', screenRow),
});

export type Screen = Value<typeof screenOutput>;

export const screen = defineAnalysis({
  name: 'screen',
  title: 'Screen',
  summary:
    'Assets that satisfy up to 6 indicator conditions joined by and/or, such as rsi_14 < 30 and close > sma_200, with the values that matched.',
  needs: 'market',
  params: screenParams,
  output: screenOutput,
  scope: 'public',
  tool: {
    name: 'screen_assets',
    headline: ({ matched, assets, interval }) =>
      `${matched} of ${assets} assets meet the conditions on ${interval}.`,
  },
  cost: 5,
  run: (question, scratch) => screenAssets(question, scratch),
});

/** The parsed conditions, for all assets. */
interface Plan {
  conditions: ScreenCondition[];
  join: 'and' | 'or';
  sort: (RuleColumn & { descending: boolean }) | null;
}

/**
 * Assets that satisfy one to six conditions; `parseScreenField` lists the fields, `parseColumn` what can stand behind one. With `and` every field must have a
 * value; with `or` a condition without a value does not hold. Numbers that agree to nine digits are equal. `crosses_above`
 * holds where left was below or equal to right one candle before, and is above it now; `crosses_below` likewise. Throws
 * `invalid_input` for a condition that cannot be parsed, `not_enough_history` without any candle.
 */
function screenAssets(
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
  const sort =
    sortBy === null ? null : parseColumn(sortBy.trim().slice(Number(descending)), 'sortBy', 'screen');
  return {
    conditions: conditions.map((condition, n) => parseCondition(condition, `conditions[${n}]`)),
    join,
    sort: sort && { ...sort, descending },
  };
}

interface Match {
  row: ScreenRow;
  /** NaN where the field has no value. */
  sortValue: number;
}

function judge(
  { asset }: PairCandles,
  { conditions, join, sort }: Plan,
  values: ScreenValues,
): { match: Match | null; lacking: boolean } {
  const valueOf = (side: Operand, before: number) => ('field' in side ? values.at(side, before) : side.value);
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
  return { match: { row, sortValue: sort ? values.at(sort, 0) : NaN }, lacking };
}

const fieldsOf = (conditions: readonly ScreenCondition[]) =>
  conditions.flatMap(({ left, right }) => [left, right]).filter((side) => 'field' in side);

function named(
  columns: readonly RuleColumn[],
  values: ScreenValues,
  before: number,
): Record<string, ScreenValue> {
  return Object.fromEntries(
    columns.map((column) => {
      const value = values.at(column, before);
      if (Number.isNaN(value)) return [column.name, null];
      return [column.name, column.field.kind === 'state' ? stateName(value) : value];
    }),
  );
}

/** Sorts by value, then by asset; rows without a value come last. */
function sortRows(matches: Match[], { sort }: Plan): Match[] {
  const way = sort?.descending ? -1 : 1;
  const place = (value: number) => (Number.isNaN(value) ? Infinity : value * way);
  return matches.sort((a, b) => {
    const [left, right] = [place(a.sortValue), place(b.sortValue)];
    if (left !== right) return left < right ? -1 : 1;
    return a.row.asset < b.row.asset ? -1 : 1;
  });
}
