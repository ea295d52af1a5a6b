import type { RuleColumn } from './rule-column.js';
import type { RuleCondition } from './rule-condition.js';
import type { RuleParams } from './rule-params.js';

/** A distance from the price of the entry: in percent of it, or in ATR(period) of the signal candle. */
export type RuleDistance =
  | { unit: 'percent'; value: number }
  | { unit: 'atr'; value: number; period: number };

export interface SideRules {
  entry: RuleCondition;
  exit: RuleCondition | null;
  stopLoss: RuleDistance | null;
  /** `r`: a multiple of the distance of `stopLoss`. */
  takeProfit: RuleDistance | { unit: 'r'; value: number } | null;
  /** It holds once the best price is `after` in profit, in the same unit. */
  trailingStop: (RuleDistance & { after: number }) | null;
  maxCandles: number | null;
}

/** How much a position costs. */
export type RuleSize =
  | { kind: 'percent' | 'amount' | 'riskPercent'; value: number }
  | { kind: 'volatilityPercent'; value: number; period: number };

/** A strategy that was read, with its parameters filled in. */
export interface StrategyRules {
  long: SideRules | null;
  short: SideRules | null;
  /** Null: 100 % divided by the most positions. */
  size: RuleSize | null;
  params: RuleParams;
  /** The value of each parameter in force. */
  values: Record<string, number>;
  /** The columns of all conditions, each once. */
  columns: RuleColumn[];
}

export const ruleSides = ['long', 'short'] as const;

export type RuleSide = (typeof ruleSides)[number];

/** The periods of ATR that the levels need, each once. */
export const atrPeriodsOf = ({ long, short }: Pick<StrategyRules, 'long' | 'short'>): number[] => {
  const distances = [long, short].flatMap((side) =>
    side ? [side.stopLoss, side.takeProfit, side.trailingStop] : [],
  );
  return [...new Set(distances.flatMap((each) => (each?.unit === 'atr' ? [each.period] : [])))];
};
