import { Decimal } from '../../model/decimal.js';

/** A range of position values with its own terms. A value equal to `to` belongs to it. */
export interface MarginBracket {
  /** The values of the bracket in quote units, from above `from` to `to`. */
  readonly from: Decimal;
  readonly to: Decimal;
  readonly mostLeverage: number;
  /** The maintenance margin as a share of the value. */
  readonly rate: Decimal;
  /** What is subtracted from value x rate, so that the maintenance margin does not jump between brackets. */
  readonly deduction: Decimal;
}

/**
 * The end of each range of values, the highest leverage and the maintenance margin rate, as Binance has published them for
 * BTCUSDT perpetuals ("Updates to Leverage and Margin Tiers of Binance Futures Contracts (2021-03-18)"). The paper exchange uses
 * them for every pair.
 */
const published = [
  ['50000', 125, '0.004'],
  ['250000', 100, '0.005'],
  ['1000000', 50, '0.01'],
  ['10000000', 20, '0.025'],
  ['20000000', 10, '0.05'],
  ['50000000', 5, '0.1'],
  ['100000000', 4, '0.125'],
  ['200000000', 3, '0.15'],
  ['300000000', 2, '0.25'],
  ['500000000', 1, '0.5'],
] as const;

export const marginBrackets: readonly MarginBracket[] = published.reduce<MarginBracket[]>(
  (before, [to, mostLeverage, rateText]) => {
    const last = before.at(-1);
    const [from, rate] = [last?.to ?? Decimal.zero, Decimal.parse(rateText)];
    const deduction = last ? last.deduction.plus(from.times(rate.minus(last.rate))) : Decimal.zero;
    return [...before, { from, to: Decimal.parse(to), mostLeverage, rate, deduction }];
  },
  [],
);

/** The bracket of a value; the last one for values above all brackets. */
const bracketOf = (value: Decimal): MarginBracket =>
  marginBrackets.find(({ to }) => value.compare(to) <= 0) ?? marginBrackets.at(-1)!;

/** The maintenance margin of a position of this value, in quote units. With less backing it is liquidated. */
export function maintenanceOf(value: Decimal): Decimal {
  const { rate, deduction } = bracketOf(value);
  return value.times(rate).minus(deduction);
}

/** The highest value of a position with this leverage; null if no position may have this leverage. */
export const mostValueAt = (leverage: number): Decimal | null =>
  marginBrackets.findLast(({ mostLeverage }) => leverage <= mostLeverage)?.to ?? null;
