import { stateName } from '../model/core-line.js';
import type { RuleCondition } from './rule-condition.js';
import type { Operand } from './screen-condition.js';
import {
  ruleSides,
  type RuleDistance,
  type RuleSide,
  type SideRules,
  type StrategyRules,
} from './strategy-rules.js';

const verbs = {
  '<': 'is below',
  '<=': 'is at most',
  '>': 'is above',
  '>=': 'is at least',
  '=': 'is',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
} as const;

/** The rules in plain English, a sentence each. */
export function rulesInWords(rules: StrategyRules): string[] {
  return [
    ...ruleSides.flatMap((side) => (rules[side] ? sideInWords(rules[side], side) : [])),
    sizeInWords(rules),
  ];
}

function sideInWords(side: SideRules, name: RuleSide): string[] {
  const [open, close] = name === 'long' ? ['Buy', 'Sell'] : ['Sell short', 'Buy back'];
  const [below, above] = name === 'long' ? ['below', 'above'] : ['above', 'below'];
  const { entry, exit, stopLoss, takeProfit, trailingStop, maxCandles } = side;
  const sentences = [`${open} at the next open when ${conditionInWords(entry)}.`];
  if (exit) sentences.push(`${close} at the next open when ${conditionInWords(exit)}.`);
  if (stopLoss) sentences.push(`Stop ${distanceInWords(stopLoss)} ${below} the entry.`);
  if (trailingStop) {
    const after = trailingStop.after;
    const once =
      after > 0 ? `, once that is ${distanceInWords({ ...trailingStop, value: after })} in profit` : '';
    sentences.push(
      `Trail a stop ${distanceInWords(trailingStop)} ${below} the best price of the candles before${once}.`,
    );
  }
  if (takeProfit) {
    const distance =
      takeProfit.unit === 'r'
        ? `${takeProfit.value} times the distance of the stop`
        : distanceInWords(takeProfit);
    sentences.push(`Take profit ${distance} ${above} the entry.`);
  }
  if (maxCandles !== null) sentences.push(`${close} at the next open after ${maxCandles} candles.`);
  if (!hasExit(side)) sentences.push(`There is no exit: the ${name} position is held to the end.`);
  return sentences;
}

/** Whether a side has any way out but the end. */
export const hasExit = ({ exit, stopLoss, takeProfit, trailingStop, maxCandles }: SideRules): boolean =>
  (exit ?? stopLoss ?? takeProfit ?? trailingStop ?? maxCandles) !== null;

function distanceInWords(distance: RuleDistance): string {
  if (distance.unit === 'percent') return `${distance.value} %`;
  return `${distance.value} x ATR(${distance.period})`;
}

/** A condition in plain English. */
function conditionInWords(condition: RuleCondition, isInner = false): string {
  if (condition.kind === 'not') return `not (${conditionInWords(condition.of)})`;
  if (condition.kind === 'compare') {
    const { left, op, right } = condition;
    const isState = 'field' in left && left.field.kind === 'state';
    const other = isState && 'value' in right ? String(stateName(right.value)) : operandInWords(right);
    return `${operandInWords(left)} ${isState || op !== '=' ? verbs[op] : 'equals'} ${other}`;
  }
  const joined = condition.of
    .map((each) => conditionInWords(each, condition.of.length > 1))
    .join(condition.kind === 'all' ? ' and ' : ' or ');
  return isInner && condition.of.length > 1 ? `(${joined})` : joined;
}

function operandInWords(side: Operand): string {
  if ('value' in side) return String(side.value);
  const { name, interval, back, factor } = side;
  const words = [factor === 1 ? '' : `${factor} x`, name.replace(/[@[ ].*$/, '')];
  if (interval) words.push(`of the last closed ${interval} candle`);
  if (back > 0) words.push(back === 1 ? 'one candle earlier' : `${back} candles earlier`);
  return words.filter((word) => word !== '').join(' ');
}

function sizeInWords({ size }: StrategyRules): string {
  switch (size?.kind) {
    case undefined:
      return 'Each position takes an equal part of the account.';
    case 'percent':
      return `Each position takes ${size.value} % of the account.`;
    case 'amount':
      return `Each position takes ${size.value} in quote currency.`;
    case 'riskPercent':
      return `Each position is sized so that its stop loses ${size.value} % of the account.`;
    case 'volatilityPercent':
      return `Each position is sized for a volatility of ${size.value} % a year over ${size.period} candles.`;
  }
}
