import { Decimal } from '../../../compute/model/decimal.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import type { PaperOrder } from '../../../compute/paper/paper-order.js';
import type { PaperTerms } from '../../../compute/paper/paper-terms.js';

const d = (text: string): Decimal => Decimal.parse(text);

/** Whole prices, quantities of 0.01. */
export const wholeRules: PairRules = {
  tickSize: d('1'),
  stepSize: d('0.01'),
  minQuantity: d('0.05'),
  minNotional: d('10'),
};

/** 1 % as maker, 2 % as taker, 1 % slippage, a quarter of the volume, 2 % above the price at most. */
export const roundTerms: PaperTerms = {
  makerFee: d('0.01'),
  takerFee: d('0.02'),
  slippage: d('0.01'),
  volumeShare: d('0.25'),
  marketBuffer: d('0.02'),
};

export const abc = { base: 'ABC', quote: 'USDT' };

/** A tick two seconds after the one before; high and low are the price unless given. */
export const tickAt = (
  second: number,
  price: string,
  { high = price, low = price, volume = null as string | null } = {},
): MarketTick => ({
  pair: abc,
  price: d(price),
  high: d(high),
  low: d(low),
  volume: volume === null ? null : d(volume),
  since: (second - 2) * 1_000,
  at: second * 1_000,
});

export interface OrderTexts {
  side?: 'buy' | 'sell';
  type?: PaperOrder['type'];
  price?: string | null;
  stopPrice?: string | null;
  quantity?: string;
  bound?: string | null;
  placedAt?: number;
}

/** A purchase of 1 ABC at 100, taken at the time 0. */
export function paperOrder(texts: OrderTexts = {}): PaperOrder {
  const {
    side = 'buy',
    type = 'limit',
    price = '100',
    stopPrice = null,
    quantity = '1',
    placedAt = 0,
  } = texts;
  const bound = texts.bound === undefined ? (side === 'buy' ? price : null) : texts.bound;
  const read = (text: string | null) => (text === null ? null : d(text));
  return {
    id: 'order1',
    pair: abc,
    side,
    type,
    price: read(price),
    stopPrice: read(stopPrice),
    quantity: d(quantity),
    bound: read(bound),
    placedAt,
  };
}
