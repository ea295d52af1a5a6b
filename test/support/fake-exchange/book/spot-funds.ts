import { Decimal } from '../../../../compute/model/decimal.js';
import { bookedPlaces, type AccountFunds, type FillCost, type FillPart } from './account-funds.js';
import type { BookOrder } from './book-order.js';
import { ExchangeRefusal } from './exchange-refusal.js';
import type { TradedPair } from './traded-pair.js';

const feeRate = Decimal.parse('0.001');
/** The share of the usual fee that is taken in BNB. */
const bnbShare = Decimal.parse('0.75');

export interface SpotTerms {
  pairOf: (symbol: string) => TradedPair;
  /** Whether fees are taken in BNB while there is some. A BNB counts as 500 of any quote asset. */
  paysWithBnb: boolean;
  /** Whether fees are taken in the quote asset, for which an open purchase locks them. */
  paysInQuote: boolean;
  /** What positions in other markets keep of an asset. Default: nothing. */
  reserved?: (asset: string) => Decimal;
  /** Whether an asset may fall below 0, as on a margin account. */
  mayBorrow: boolean;
}

const bnbPrice = Decimal.parse('500');

export interface Balance {
  asset: string;
  total: Decimal;
  held: Decimal;
  free: Decimal;
}

/** A spot account, or a margin account in which every asset may be borrowed. */
export class SpotFunds implements AccountFunds {
  readonly totals = new Map<string, Decimal>();
  /** What is locked by something else than orders. */
  readonly frozen = new Map<string, Decimal>();
  readonly #terms: SpotTerms;

  constructor(terms: SpotTerms) {
    this.#terms = terms;
  }

  add(asset: string, amount: Decimal): void {
    this.totals.set(asset, this.#total(asset).plus(amount));
  }

  mostOf(order: BookOrder): Decimal {
    return order.left;
  }

  admit(order: BookOrder, open: readonly BookOrder[], price: Decimal): void {
    if (this.#terms.mayBorrow && order.request.borrows) return;
    const { asset, amount } = this.locks(order, price);
    const kept = (this.locked(open).get(asset) ?? Decimal.zero).plus(
      this.#terms.reserved?.(asset) ?? Decimal.zero,
    );
    const free = this.#total(asset).minus(kept);
    if (free.compare(amount) < 0)
      throw new ExchangeRefusal(-2010, 'Account has insufficient balance for requested action.');
  }

  /** What open orders lock, by asset. */
  locked(open: readonly BookOrder[]): Map<string, Decimal> {
    const sums = new Map(this.frozen);
    for (const order of open.filter(({ sharesFunds }) => !sharesFunds)) {
      const { asset, amount } = this.locks(order, order.stopPrice ?? Decimal.zero);
      sums.set(asset, (sums.get(asset) ?? Decimal.zero).plus(amount));
    }
    return sums;
  }

  /** What it has of each asset in all, what is locked of that, and the rest. */
  balances(open: readonly BookOrder[]): Balance[] {
    const locked = this.locked(open);
    return [...new Set([...this.totals.keys(), ...locked.keys()])].map((asset) => {
      const [total, held] = [this.#total(asset), locked.get(asset) ?? Decimal.zero];
      return { asset, total, held, free: total.minus(held) };
    });
  }

  balanceOf(asset: string, open: readonly BookOrder[]): Balance {
    const { zero } = Decimal;
    return (
      this.balances(open).find((each) => each.asset === asset) ?? {
        asset,
        total: zero,
        held: zero,
        free: zero,
      }
    );
  }

  /** What an order locks while it is open. */
  locks(order: BookOrder, price: Decimal): { asset: string; amount: Decimal } {
    const { base, quote } = this.#terms.pairOf(order.request.symbol);
    if (order.request.side === 'SELL') return { asset: base, amount: order.left };
    const value = order.left.times(order.price ?? price);
    return { asset: quote, amount: this.#terms.paysInQuote ? value.plus(value.times(feeRate)) : value };
  }

  fill({ request: { symbol, side } }: BookOrder, { quantity, price }: FillPart): FillCost {
    const { base, quote } = this.#terms.pairOf(symbol);
    const [got, gave] = side === 'BUY' ? [base, quote] : [quote, base];
    const value = quantity.times(price);
    const [gotAmount, gaveAmount] = side === 'BUY' ? [quantity, value] : [value, quantity];
    this.add(gave, gaveAmount.negated());
    this.add(got, gotAmount);
    const fee = this.#terms.paysInQuote ? this.#fee(quote, value, value) : this.#fee(got, gotAmount, value);
    this.add(fee.commissionAsset, fee.commission.negated());
    return { ...fee, realized: Decimal.zero };
  }

  #fee(asset: string, amount: Decimal, value: Decimal): Omit<FillCost, 'realized'> {
    if (this.#terms.paysWithBnb && asset !== 'BNB') {
      const worth = value.times(feeRate).times(bnbShare);
      const commission = worth.dividedBy(bnbPrice, bookedPlaces, 'floor');
      if (this.#total('BNB').compare(commission) >= 0) return { commission, commissionAsset: 'BNB' };
    }
    return { commission: amount.times(feeRate).round(bookedPlaces, 'floor'), commissionAsset: asset };
  }

  #total(asset: string): Decimal {
    return this.totals.get(asset) ?? Decimal.zero;
  }
}
