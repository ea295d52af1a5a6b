/** One condition as a line of the builder. */
export interface RuleLine {
  left: string;
  op: string;
  right: string | number;
}

/** Conditions that all hold, or any of them. */
export interface RuleConditions {
  join: 'all' | 'any';
  lines: readonly RuleLine[];
}

export const ruleOperators: Readonly<Record<string, string>> = {
  '<': 'is below',
  '>': 'is above',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
  '=': 'is',
};

/** Each with its usual percent, and units of its own. */
export const ruleDistances = {
  stopLoss: ['Stop loss', 5, {}],
  takeProfit: ['Take profit', 10, { r: '× the stop' }],
  trailingStop: ['Trailing stop', 8, {}],
} as const;

/** A strategy of which lines show all: conditions, and distances from the entry by their unit. */
export interface RuleSheet {
  long: { entry?: object; exit?: object } & Partial<
    Record<keyof typeof ruleDistances, Readonly<Record<string, number>> | null>
  >;
}

export const firstSheet: RuleSheet = {
  long: {
    entry: {
      all: [
        { left: 'rsi_14', op: '<', right: 30 },
        { left: 'close', op: '>', right: 'sma_200' },
      ],
    },
    exit: { any: [{ left: 'rsi_14', op: '>', right: 55 }] },
    stopLoss: { atr: 3 },
  },
};

/** Whether lines can show the whole of a strategy. */
export function isSheet(strategy: object): strategy is RuleSheet {
  const { long, ...others } = strategy as Record<string, unknown>;
  if (!long || Object.keys(others).length > 0) return false;
  const { entry, exit, ...distances } = long as Record<string, unknown>;
  const isDistance = ([name, given]: [string, unknown]) =>
    name in ruleDistances && /^({"\w+":[\d.e+-]+}|null)$/.test(JSON.stringify(given));
  const conditions = [entry, exit].flatMap((each) => ruleConditions(each).lines);
  return conditions.every(isLine) && Object.entries(distances).every(isDistance);
}

/** The lines of a condition. */
export function ruleConditions(condition: unknown): RuleConditions {
  const given = (condition ?? { any: [] }) as Partial<Record<'all' | 'any', RuleLine[]>>;
  const join = given.any ? 'any' : 'all';
  return { join, lines: given[join] ?? [given as RuleLine] };
}

function isLine(line: Partial<Record<keyof RuleLine, unknown>> | null): boolean {
  const { left, op, right } = line ?? {};
  const isOperand = typeof right === 'string' || typeof right === 'number';
  return typeof left === 'string' && typeof op === 'string' && op in ruleOperators && isOperand;
}
