import { Decimal } from '../../../compute/model/decimal.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import { liquidationPrice } from '../../../compute/risk/liquidation-price.js';
import type { SignalTerms } from '../../../storage/signals/partner-signal.js';
import { decimal, text, figure, type Answered, figureOrNull, list, objectField } from '../output-fields.js';

const decimalOrNull = (description: string) => decimal(description).allow(null);

/** What can be told of a signal before it is created. */
export const outlookFields = {
  market_price: decimalOrNull('last price of the pair; null if none is known'),
  entry_distance_percent: figureOrNull('how far the first entry is from it, in percent; below 0: below it'),
  risk_percent: figureOrNull('how far the stop is from the first entry, in percent; null without a stop'),
  targets: list(
    objectField(
      {
        price: decimal('price of the target'),
        percent: figure('profit at the target, in percent of the entry'),
        r: figureOrNull('profit at the target, in multiples of the risk; null without a stop'),
      },
      'a target',
    ),
    'what each target earns',
  ),
  liquidation_price: decimalOrNull('where an isolated position is liquidated; null where it is not'),
  least_balance: decimalOrNull(
    'smallest balance with which each entry is above the minimum of the exchange; null if not known',
  ),
  tick_size: decimalOrNull('prices are rounded to multiples of it; null if not known'),
  warnings: list(text('a warning'), 'likely mistakes, which are accepted nevertheless'),
};

type SignalOutlook = Answered<typeof outlookFields>;

const hundred = Decimal.parse('100');
const places = 8;
/** Maintenance margin of the lowest tier at most exchanges. */
const maintenanceRate = Decimal.parse('0.005');

/** The outlook of a signal without faults. */
export function signalOutlook(
  terms: SignalTerms,
  price: number | null,
  rules: PairRules | null,
): SignalOutlook {
  const market = price === null ? null : Decimal.read(String(price));
  const entry = Decimal.parse(terms.entries[0].price);
  const stop = terms.stopLoss === null ? null : Decimal.parse(terms.stopLoss);
  const risk = stop && distance(entry, stop);
  const liquidation = liquidationOf(terms, entry);
  return {
    market_price: market?.toString() ?? null,
    entry_distance_percent: market && percentOf(entry.minus(market), market),
    risk_percent: risk && percentOf(risk, entry),
    targets: terms.targets.map((target) => {
      const profit = distance(Decimal.parse(target), entry);
      return {
        price: target,
        percent: percentOf(profit, entry),
        r: risk && Number(profit.dividedBy(risk, 4, 'half-even').toString()),
      };
    }),
    liquidation_price: liquidation?.toString() ?? null,
    least_balance: rules && leastBalance(terms, rules),
    tick_size: rules?.tickSize.toString() ?? null,
    warnings: [
      ...staleWarnings(terms, market),
      ...liquidationWarnings(terms, liquidation, stop),
      ...tickWarnings(terms, rules),
      ...(stop ? [] : ['there is no stop: the loss is not limited']),
    ],
  };
}

const distance = (one: Decimal, other: Decimal): Decimal => {
  const difference = one.minus(other);
  return difference.sign < 0 ? other.minus(one) : difference;
};

const percentOf = (part: Decimal, whole: Decimal): number =>
  Number(part.times(hundred).dividedBy(whole, 4, 'half-even').toString());

function liquidationOf({ side, leverage, account, marginType }: SignalTerms, entry: Decimal): Decimal | null {
  if (account === 'SPOT' || leverage === 1 || marginType === 'CROSS') return null;
  const backing = entry.dividedBy(Decimal.read(String(leverage)), places, 'floor');
  return liquidationPrice({ side, entry, quantity: Decimal.one, backing, maintenanceRate }, places);
}

function liquidationWarnings(
  { side }: SignalTerms,
  liquidation: Decimal | null,
  stop: Decimal | null,
): string[] {
  if (!liquidation) return [];
  const order = stop ? liquidation.compare(stop) : null;
  const isSafe = order !== null && (side === 'long' ? order < 0 : order > 0);
  if (isSafe) return [];
  return [
    `the position is liquidated at ${liquidation.toString()}, before ${stop ? 'the stop' : 'any stop'}`,
  ];
}

/** A signal whose first target or stop the market has reached is skipped by every subscriber. */
function staleWarnings({ side, targets, stopLoss }: SignalTerms, market: Decimal | null): string[] {
  if (!market) return [];
  const isBeyond = (level: string, better: boolean): boolean => {
    const order = market.compare(Decimal.parse(level));
    return (side === 'long') === better ? order >= 0 : order <= 0;
  };
  return [
    ...(isBeyond(targets[0], true)
      ? ['the market is beyond the first target: subscribers would skip the signal']
      : []),
    ...(stopLoss !== null && isBeyond(stopLoss, false)
      ? ['the market is beyond the stop: subscribers would skip the signal']
      : []),
  ];
}

function tickWarnings({ entries, targets, stopLoss }: SignalTerms, rules: PairRules | null): string[] {
  if (!rules) return [];
  const prices = entries.flatMap(({ price, zoneEnd }) => [price, ...(zoneEnd === null ? [] : [zoneEnd])]);
  const all = [...prices, ...targets, ...(stopLoss === null ? [] : [stopLoss])];
  const off = all.filter((price) => {
    const exact = Decimal.parse(price);
    return exact.toStep(rules.tickSize, 'floor').compare(exact) !== 0;
  });
  return off.length === 0
    ? []
    : [`prices are rounded to multiples of ${rules.tickSize.toString()}: ${off.join(', ')}`];
}

/** The smallest balance with which each entry reaches the minimum; null if each subscriber sets the percentage. */
function leastBalance({ entries, leverage, investPercent }: SignalTerms, rules: PairRules): string | null {
  if (investPercent === null) return null;
  const needed = entries.map(({ price, percent }) => {
    const leastQuantity = rules.minQuantity.times(Decimal.parse(price));
    const worth = leastQuantity.compare(rules.minNotional) > 0 ? leastQuantity : rules.minNotional;
    const share = Decimal.parse(percent)
      .times(Decimal.parse(investPercent))
      .times(Decimal.read(String(leverage)));
    return worth.times(hundred).times(hundred).dividedBy(share, places, 'ceil');
  });
  return needed.reduce((most, each) => (each.compare(most) > 0 ? each : most)).toString();
}
