/** One condition as a line of the builder. */
export interface RuleLine {
  left: string;
  op: string;
  right: string;
}

export type DistanceUnit = 'percent' | 'atr';

/** A strategy as the builder shows it: conditions that all hold, or any of them, and distances. */
export interface RuleSheet {
  entry: readonly RuleLine[];
  entryJoin: 'all' | 'any';
  exit: readonly RuleLine[];
  exitJoin: 'all' | 'any';
  stopLoss: { unit: DistanceUnit; value: number } | null;
  takeProfit: { unit: DistanceUnit | 'r'; value: number } | null;
  trailingStop: { unit: DistanceUnit; value: number } | null;
}

export const ruleOperators = {
  '<': 'is below',
  '>': 'is above',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
  '=': 'is',
} as const;

export const firstSheet: RuleSheet = {
  entry: [
    { left: 'rsi_14', op: '<', right: '30' },
    { left: 'close', op: '>', right: 'sma_200' },
  ],
  entryJoin: 'all',
  exit: [{ left: 'rsi_14', op: '>', right: '55' }],
  exitJoin: 'any',
  stopLoss: { unit: 'atr', value: 3 },
  takeProfit: null,
  trailingStop: null,
};

const operand = (text: string): string | number =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

const joined = (lines: readonly RuleLine[], join: 'all' | 'any') => ({
  [join]: lines.map(({ left, op, right }) => ({ left, op, right: operand(right) })),
});

const distance = (given: { unit: string; value: number } | null, name: string) =>
  given === null ? {} : { [name]: { [given.unit]: given.value } };

/** The sheet as a strategy for the service. */
export const sheetStrategy = (sheet: RuleSheet) => ({
  long: {
    entry: joined(sheet.entry, sheet.entryJoin),
    ...(sheet.exit.length > 0 ? { exit: joined(sheet.exit, sheet.exitJoin) } : {}),
    ...distance(sheet.stopLoss, 'stopLoss'),
    ...distance(sheet.takeProfit, 'takeProfit'),
    ...distance(sheet.trailingStop, 'trailingStop'),
  },
});

interface GivenSide {
  entry?: unknown;
  exit?: unknown;
  stopLoss?: unknown;
  takeProfit?: unknown;
  trailingStop?: unknown;
}

/** A strategy as a sheet; null if it says more than lines can show. */
export function sheetOf(strategy: { long?: GivenSide; [name: string]: unknown }): RuleSheet | null {
  const { long, ...others } = strategy;
  if (long === undefined || Object.keys(others).length > 0) return null;
  const { entry, exit, stopLoss, takeProfit, trailingStop, ...more } = long;
  if (Object.keys(more).length > 0) return null;
  const parts = {
    in: linesOf(entry),
    out: exit === undefined ? { lines: [], join: 'any' as const } : linesOf(exit),
    stop: distanceOf(stopLoss),
    take: distanceOf(takeProfit),
    trail: distanceOf(trailingStop),
  };
  const { in: enter, out, stop, take, trail } = parts;
  if (!enter || !out || stop === undefined || take === undefined || trail === undefined) return null;
  return {
    entry: enter.lines,
    entryJoin: enter.join,
    exit: out.lines,
    exitJoin: out.join,
    stopLoss: stop as RuleSheet['stopLoss'],
    takeProfit: take,
    trailingStop: trail as RuleSheet['trailingStop'],
  };
}

function linesOf(condition: unknown): { lines: RuleLine[]; join: 'all' | 'any' } | null {
  const given = condition as Partial<Record<'all' | 'any', unknown[]>> &
    Partial<Record<keyof RuleLine, unknown>>;
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
function distanceOf(given: unknown): { unit: DistanceUnit | 'r'; value: number } | null | undefined {
  if (given === undefined || given === null) return null;
  const entries = Object.entries(given as Record<string, unknown>);
  const [unit, value] = entries[0] ?? [];
  if (entries.length !== 1 || typeof value !== 'number') return undefined;
  return { unit: unit as DistanceUnit, value };
}
