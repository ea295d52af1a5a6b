/** One condition as a line of the builder. */
export interface RuleLine {
  left: string;
  op: string;
  right: string;
}

/** Conditions that all hold, or any of them. */
export interface RuleConditions {
  join: 'all' | 'any';
  lines: readonly RuleLine[];
}

const noDistances = { stopLoss: null, takeProfit: null, trailingStop: null };

export type SheetDistance = keyof typeof noDistances;

/** A strategy as the builder shows it: conditions, and distances from the entry. */
export interface RuleSheet extends Record<SheetDistance, { unit: string; value: string } | null> {
  entry: RuleConditions;
  exit: RuleConditions;
}

export const ruleOperators = {
  '<': 'is below',
  '>': 'is above',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
  '=': 'is',
} as const;

export const firstSheet: RuleSheet = {
  entry: {
    join: 'all',
    lines: [
      { left: 'rsi_14', op: '<', right: '30' },
      { left: 'close', op: '>', right: 'sma_200' },
    ],
  },
  exit: { join: 'any', lines: [{ left: 'rsi_14', op: '>', right: '55' }] },
  ...noDistances,
  stopLoss: { unit: 'atr', value: '3' },
};

const operand = (text: string): string | number =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

const joined = ({ join, lines }: RuleConditions) => ({
  [join]: lines.map(({ left, op, right }) => ({ left, op, right: operand(right) })),
});

/** The sheet as a strategy for the service. */
export const sheetStrategy = ({ entry, exit, ...distances }: RuleSheet) => ({
  long: {
    entry: joined(entry),
    ...(exit.lines.length > 0 ? { exit: joined(exit) } : {}),
    ...Object.fromEntries(
      Object.entries(distances).flatMap(([name, given]) =>
        given ? [[name, { [given.unit]: operand(given.value) }]] : [],
      ),
    ),
  },
});

/** A strategy as a sheet; null if it says more than lines can show. */
export function sheetOf({ long, ...others }: Record<string, unknown>): RuleSheet | null {
  if (!long || Object.keys(others).length > 0) return null;
  const { entry, exit = { any: [] }, ...given } = long as Record<string, unknown>;
  const conditions = { entry: conditionsOf(entry), exit: conditionsOf(exit) };
  const distances = Object.entries(given).map(([name, value]) => [name, distanceOf(value)] as const);
  const isShown = distances.every(([name, value]) => name in noDistances && value !== undefined);
  if (!conditions.entry || !conditions.exit || !isShown) return null;
  return {
    ...noDistances,
    ...(conditions as Pick<RuleSheet, 'entry' | 'exit'>),
    ...Object.fromEntries(distances),
  };
}

function conditionsOf(condition: unknown): RuleConditions | null {
  const given = (condition ?? {}) as Partial<Record<'all' | 'any', unknown[]>>;
  const join = given.any ? 'any' : 'all';
  const lines = (given[join] ?? [given]).map(lineOf);
  return lines.includes(null) ? null : { lines: lines as RuleLine[], join };
}

function lineOf(condition: unknown): RuleLine | null {
  const { left, op, right } = condition as Partial<Record<keyof RuleLine, unknown>>;
  const isText = typeof right === 'string' || typeof right === 'number';
  if (typeof left !== 'string' || typeof op !== 'string' || !isText || !(op in ruleOperators)) return null;
  return { left, op, right: String(right) };
}

/** Undefined if it has more than one number. */
function distanceOf(given: unknown): { unit: string; value: string } | null | undefined {
  if (given === undefined || given === null) return null;
  const entries = Object.entries(given as Record<string, unknown>);
  const [unit, value] = entries[0] ?? [];
  if (entries.length !== 1 || typeof value !== 'number') return undefined;
  return { unit, value: String(value) };
}
