import { Decimal } from '../model/decimal.js';
import { pairName } from '../model/market-pair.js';
import type { PairRules } from '../model/pair-rules.js';
import { lockOf } from './paper-money.js';
import type { PaperOrder } from './paper-order.js';
import type { MatchMarket } from './paper-terms.js';
import { withSlippage } from './reached-price.js';

/** The facts, beside the order, on which the decision depends. */
export interface AdmitFacts extends MatchMarket {
  /** The last price of the pair; null if it is missing or too old. */
  readonly lastPrice: Decimal | null;
  /** The free amount of the asset that the order locks. */
  readonly free: Decimal;
}

/** An order before the paper exchange has accepted it. */
export type OfferedOrder = Omit<PaperOrder, 'bound'>;

const boundPlaces = 12;

/** The order as the paper exchange accepts it, or the reason why it refuses the order. */
export function admitOrder(order: OfferedOrder, facts: AdmitFacts): PaperOrder | { refused: string } {
  const refused = wrongOrder(order, facts);
  if (refused !== null) return { refused };
  const admitted = { ...order, bound: order.side === 'buy' ? boundOf(order, facts) : null };
  const { asset, amount } = lockOf(admitted, Decimal.zero);
  if (amount.compare(facts.free) <= 0) return admitted;
  const needs = `the order needs ${String(amount)} ${asset}, and ${String(facts.free)} ${asset} are free`;
  return {
    refused: order.side === 'buy' ? needs : `${needs}; the paper exchange holds no short positions`,
  };
}

/** Why the order breaks the rules of its pair; null if it does not. */
export const wrongOrder = (
  order: OfferedOrder & { readonly reduces?: boolean },
  facts: Pick<AdmitFacts, 'rules' | 'lastPrice'>,
): string | null => wrongTerms(order, facts.rules) ?? wrongSize(order, facts);

/** The asset that the order locks. */
export const lockedAsset = ({ pair, side }: Pick<PaperOrder, 'pair' | 'side'>): string =>
  side === 'buy' ? pair.quote : pair.base;

function wrongTerms({ type, price, stopPrice, quantity }: OfferedOrder, rules: PairRules): string | null {
  if (type === 'limit' && !price) return 'a limit order needs a price';
  if (type === 'stop' && !stopPrice) return 'a stop order needs a stop price';
  if (type !== 'stop' && stopPrice) return `a ${type} order has no stop price`;
  for (const level of [price, stopPrice])
    if (level && (level.sign <= 0 || !isMultiple(level, rules.tickSize)))
      return `the price ${String(level)} is not a multiple of ${String(rules.tickSize)} above 0`;
  if (quantity.sign <= 0 || !isMultiple(quantity, rules.stepSize))
    return `the quantity ${String(quantity)} is not a multiple of ${String(rules.stepSize)} above 0`;
  return null;
}

function wrongSize(
  order: OfferedOrder & { readonly reduces?: boolean },
  { rules, lastPrice }: Pick<AdmitFacts, 'rules' | 'lastPrice'>,
): string | null {
  const { quantity } = order;
  const isExempt = order.reduces === true && rules.isReduceExempt === true;
  if (!isExempt && quantity.compare(rules.minQuantity) < 0)
    return `the quantity ${String(quantity)} is below the minimum of ${String(rules.minQuantity)}`;
  const price = order.price ?? order.stopPrice ?? lastPrice;
  if (!price) return `there is no recent price of ${pairName(order.pair)}`;
  const worth = quantity.times(price);
  if (isExempt || worth.compare(rules.minNotional) >= 0) return null;
  return `the order is worth ${String(worth)} ${order.pair.quote}, below the minimum of ${String(rules.minNotional)}`;
}

/**
 * The highest price that a purchase may pay. For an order at market it is above the last price by `marketBuffer`, or by less
 * if the account has less, but always by the slippage at least.
 */
function boundOf({ price, stopPrice, quantity }: OfferedOrder, facts: AdmitFacts): Decimal {
  if (price) return price;
  const start = stopPrice ?? facts.lastPrice!;
  const most = start.times(Decimal.one.plus(facts.terms.marketBuffer));
  const least = withSlippage(start, 'buy', facts);
  const affordable = facts.free.dividedBy(quantity, boundPlaces, 'floor');
  if (affordable.compare(least) < 0) return least;
  return affordable.compare(most) < 0 ? affordable : most;
}

const isMultiple = (value: Decimal, step: Decimal): boolean =>
  value.toStep(step, 'floor').compare(value) === 0;
