import { Decimal } from '../../../compute/model/decimal.js';
import { nothingHeld, reducedTo } from '../../../compute/model/holding.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { PaperFill } from '../../../compute/paper/paper-order.js';
import { changesOf, type AssetAmount } from '../../../compute/paper/paper-money.js';
import type { Account, CostBasis, StoredHolding } from '../../accounts/accounts.js';
import { costPlaces } from '../../accounts/settle-holding.js';
import { isCash } from '../../candles/pegged.js';
import { inAssetOrder, withCash } from './with-cash.js';

/** A fill with what an account needs to know of its order. */
export interface BookedFill {
  pair: PairSymbols;
  side: 'buy' | 'sell';
  fill: PaperFill;
}

type Money = Pick<Account, 'cash' | 'holdings'>;

/** What an amount of an asset has cost in the quote currency; null while that is not known. */
interface Cost {
  cost: Decimal | null;
  basis: CostBasis;
}

/**
 * Cash and holdings after a fill. The cost of the received asset is that of the given one: cash counts as its amount; of another
 * asset the sold share of its cost is taken over. The fee of a purchase is thus part of the cost, that of a sale is not.
 */
export function bookFill(money: Money, { pair, side, fill }: BookedFill): Money {
  const [base, quote] = changesOf({ pair, side }, fill);
  const [given, received] = side === 'buy' ? [quote, base] : [base, quote];
  const cost = costOf(money, given);
  return withReceived(withGiven(money, given), received, cost);
}

function costOf({ holdings }: Money, { asset, amount }: AssetAmount): Cost {
  const given = amount.negated();
  if (isCash(asset)) return { cost: given, basis: 'average' };
  const held = find(holdings, asset);
  if (typeof held?.cost !== 'string') return { cost: null, basis: 'since_connection' };
  const before = { quantity: Decimal.read(held.quantity), cost: Decimal.read(held.cost) };
  const after = reducedTo(before, before.quantity.minus(given));
  return { cost: before.cost.minus(after.cost), basis: held.basis };
}

function withGiven(money: Money, { asset, amount }: AssetAmount): Money {
  if (isCash(asset)) return { ...money, cash: withCash(money.cash, asset, amount) };
  const held = find(money.holdings, asset);
  const quantity = Decimal.read(held?.quantity ?? '0').plus(amount);
  if (!held || quantity.sign === 0) return { ...money, holdings: others(money.holdings, asset) };
  if (held.cost === null) return withHolding(money, { ...held, quantity: String(quantity) });
  const before = { quantity: Decimal.read(held.quantity), cost: Decimal.read(held.cost) };
  const { cost } = reducedTo(before, quantity);
  return withHolding(money, { ...held, quantity: String(quantity), cost: rounded(cost) });
}

function withReceived(money: Money, { asset, amount }: AssetAmount, given: Cost): Money {
  if (isCash(asset)) return { ...money, cash: withCash(money.cash, asset, amount) };
  const held = find(money.holdings, asset);
  const before = held
    ? { cost: held.cost === null ? null : Decimal.read(held.cost), basis: held.basis }
    : { cost: nothingHeld.cost, basis: 'average' as const };
  const cost = before.cost === null || given.cost === null ? null : before.cost.plus(given.cost);
  const isAverage = before.basis === 'average' && given.basis === 'average';
  return withHolding(money, {
    asset,
    quantity: String(Decimal.read(held?.quantity ?? '0').plus(amount)),
    cost: cost && rounded(cost),
    basis: isAverage ? 'average' : 'since_connection',
    cursor: null,
    checkedAt: held?.checkedAt ?? 0,
  });
}

const withHolding = (money: Money, holding: StoredHolding): Money => ({
  ...money,
  holdings: inAssetOrder([...others(money.holdings, holding.asset), holding]),
});

const find = <T extends { asset: string }>(all: readonly T[], asset: string): T | undefined =>
  all.find((each) => each.asset === asset);

const others = <T extends { asset: string }>(all: readonly T[], asset: string): T[] =>
  all.filter((each) => each.asset !== asset);

const rounded = (cost: Decimal): string => String(cost.round(costPlaces, 'half-even'));
