import { Decimal } from '../../../compute/model/decimal.js';
import { pairName } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { admitMarginOrder } from '../../../compute/paper/margin/admit-margin-order.js';
import { advanceMargin } from '../../../compute/paper/margin/advance-margin.js';
import type { MarginAccount, MarginOrder } from '../../../compute/paper/margin/margin-account.js';
import type { MarginTerms } from '../../../compute/paper/margin/margin-terms.js';
import { abc, roundTerms, wholeRules } from './paper-cases.js';

const d = (text: string): Decimal => Decimal.parse(text);

/** No fees and no slippage; funding of 1 % every 100 seconds; a liquidation costs 1 %. */
export const plainTerms: MarginTerms = {
  ...roundTerms,
  makerFee: Decimal.zero,
  takerFee: Decimal.zero,
  slippage: Decimal.zero,
  liquidationFee: d('0.01'),
  fundingRate: d('0.01'),
  funding: 'between',
  fundingEveryMs: 100_000,
};

export interface MarginTexts {
  side?: 'buy' | 'sell';
  type?: MarginOrder['type'];
  price?: string | null;
  stopPrice?: string | null;
  quantity?: string;
  leverage?: number;
  mode?: MarginOrder['mode'];
  reduces?: boolean;
  pair?: MarginOrder['pair'];
  owner?: string;
}

/** A margin account in memory, over the code that decides what happens to it. */
export class MarginBook {
  state: MarginAccount;
  readonly prices = new Map<string, Decimal>();
  readonly terms: MarginTerms;
  #orders = 0;
  #second = 0;

  constructor(wallet: string, terms: MarginTerms = plainTerms) {
    this.state = { id: 'user:FUTURES', wallet: d(wallet), positions: [], orders: [] };
    this.terms = terms;
  }

  /** Places an order of 1 ABC at 100 with a leverage of 10; answers why it was refused, or null. */
  place(texts: MarginTexts = {}): string | null {
    const {
      side = 'buy',
      type = 'limit',
      quantity = '1',
      leverage = 10,
      mode = 'ISOLATED',
      pair = abc,
    } = texts;
    const price = texts.price === undefined ? (type === 'limit' ? '100' : null) : texts.price;
    const offered = {
      ...{ id: `order${++this.#orders}`, pair, side, type, leverage, mode },
      price: price === null ? null : d(price),
      stopPrice: texts.stopPrice ? d(texts.stopPrice) : null,
      quantity: d(quantity),
      reduces: texts.reduces ?? false,
      owner: texts.owner ?? 'execution',
      placedAt: this.#second * 1_000,
    };
    const lastPrice = this.prices.get(pairName(pair)) ?? null;
    const facts = { rules: wholeRules, terms: this.terms, lastPrice, prices: this.prices };
    const admitted = admitMarginOrder(offered, this.state, facts);
    if ('refused' in admitted) return admitted.refused;
    this.state = { ...this.state, orders: [...this.state.orders, admitted] };
    return null;
  }

  /** A tick two seconds after the one before. */
  tick(
    price: string,
    { high = price, low = price, volume = null as string | null, pair = abc } = {},
  ): MarketTick {
    const since = this.#second * 1_000;
    this.#second += 2;
    const [one, most, least] = [price, high, low].map(d);
    const tick = {
      ...{ pair, price: one, high: most, low: least, since },
      volume: volume === null ? null : d(volume),
      at: this.#second * 1_000,
    };
    this.play(tick);
    return tick;
  }

  play(tick: MarketTick): void {
    this.prices.set(pairName(tick.pair), tick.price);
    const market = { rules: wholeRules, terms: this.terms };
    this.state = advanceMargin(this.state, { tick, prices: this.prices, market });
  }

  /** The time from which the next tick counts, in seconds. */
  at(second: number): this {
    this.#second = second;
    return this;
  }

  /** Statuses of the orders, in the order in which they were placed. */
  get statuses(): string[] {
    return this.state.orders.map(({ events }) => events.at(-1)?.end ?? 'open');
  }
}
