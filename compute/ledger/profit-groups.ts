import { Decimal } from '../model/decimal.js';
import { utcDay } from '../model/utc-day.js';

export const profitGroupings = ['asset', 'exchange', 'channel', 'day'] as const;
export type ProfitGrouping = (typeof profitGroupings)[number];

/** The facts of a closed trade for sums of profits. Amounts are decimals as text. */
export interface ProfitFact {
  asset: string;
  tradeMarket: string;
  exchange: string;
  channelId: string;
  profit: string;
  days: readonly { day: string; profit: string }[];
  /** Funding and interest, which are part of the profit; `payments` lists those that count on their own day. */
  funding?: string;
  payments?: readonly { value: string; at: Date }[];
  fees: readonly { asset: string; amount: string; value: string | null }[];
  closedAt: Date;
}

/** Funding or interest that belongs to no trade. */
export interface PaymentLine {
  asset: string;
  tradeMarket: string;
  exchange: string;
  channelId: string;
  /** In units of `tradeMarket`. */
  amount: Decimal;
  at: Date;
}

/** The profit of a group of trades. Amounts in different quote assets are never added up. */
export interface ProfitGroup {
  /** The asset, the exchange, the id of the channel, or the day. */
  group: string;
  tradeMarket: string;
  /** Realised profit net of fees, in units of `tradeMarket`. */
  profit: string;
  /** Funding and interest received (above 0) or paid, which are part of the profit. */
  funding: string;
  /** Trades that closed in the group; `wins`: those with a profit above 0. */
  trades: number;
  wins: number;
  /** Fees of the trades that closed in the group, by asset. */
  fees: { asset: string; amount: string }[];
}

interface Sums {
  profit: Decimal;
  funding: Decimal;
  trades: number;
  wins: number;
  fees: Map<string, Decimal>;
}

/**
 * Sums of profits by asset, exchange, channel or UTC day. A profit counts on the day on which it was realised, a trade and its
 * fees on the day on which it closed. Sums are exact, so that every grouping has the same total.
 */
export class ProfitGroups {
  readonly #by: ProfitGrouping;
  readonly #sinceDay: string;
  readonly #groups = new Map<string, Sums>();

  /** `sinceDay`: the profits of earlier days are left out, even of trades that closed later. */
  constructor(by: ProfitGrouping, sinceDay: string) {
    this.#by = by;
    this.#sinceDay = sinceDay;
  }

  add(fact: ProfitFact): void {
    for (const { day, profit } of fact.days)
      if (day >= this.#sinceDay) {
        const sums = this.#sumsOf(fact, day);
        sums.profit = sums.profit.plus(Decimal.read(profit));
      }
    const sums = this.#sumsOf(fact, utcDay(fact.closedAt.getTime()));
    this.#addFunding(fact, sums);
    sums.trades++;
    if (Decimal.read(fact.profit).sign > 0) sums.wins++;
    for (const { asset, amount } of fact.fees)
      sums.fees.set(asset, (sums.fees.get(asset) ?? Decimal.zero).plus(Decimal.read(amount)));
  }

  addPayment({ amount, at, ...fact }: PaymentLine): void {
    const sums = this.#sumsOf(fact, utcDay(at.getTime()));
    sums.profit = sums.profit.plus(amount);
    sums.funding = sums.funding.plus(amount);
  }

  /** Adds funding and interest: payments on their own day, funding that fills reported on the day on which the trade closed. */
  #addFunding(fact: ProfitFact, atClose: Sums): void {
    const { funding = '0', payments = [] } = fact;
    let rest = Decimal.read(funding);
    for (const { value, at } of payments) {
      const paid = Decimal.read(value);
      rest = rest.minus(paid);
      const day = utcDay(at.getTime());
      if (day < this.#sinceDay) continue;
      const sums = this.#sumsOf(fact, day);
      sums.funding = sums.funding.plus(paid);
    }
    atClose.funding = atClose.funding.plus(rest);
  }

  /** The groups in alphabetical order; days in descending order. */
  rows(): ProfitGroup[] {
    const rows = [...this.#groups].map(([key, { profit, funding, trades, wins, fees }]) => {
      const [group, tradeMarket] = key.split(' ');
      const paid = [...fees].map(([asset, amount]) => ({ asset, amount: amount.toString() }));
      const sums = { profit: profit.toString(), funding: funding.toString() };
      return { group, tradeMarket, ...sums, trades, wins, fees: paid };
    });
    const isDescending = this.#by === 'day';
    const keyOf = ({ group, tradeMarket }: ProfitGroup) => `${group} ${tradeMarket}`;
    return rows.sort((one, other) => (keyOf(one) < keyOf(other) !== isDescending ? -1 : 1));
  }

  #sumsOf(
    { asset, exchange, channelId, tradeMarket }: Omit<PaymentLine, 'amount' | 'at'>,
    day: string,
  ): Sums {
    const group = { asset, exchange, channel: channelId, day }[this.#by];
    const key = `${group} ${tradeMarket}`;
    const known = this.#groups.get(key);
    if (known) return known;
    const sums = {
      profit: Decimal.zero,
      funding: Decimal.zero,
      trades: 0,
      wins: 0,
      fees: new Map<string, Decimal>(),
    };
    this.#groups.set(key, sums);
    return sums;
  }
}
