import type { Candles } from '../../../../compute/model/candles.js';
import { Decimal } from '../../../../compute/model/decimal.js';

/** The market of an order: spot, cross margin, the isolated margin of its pair, or futures margined in USDT. */
export type BookKind = 'spot' | 'margin' | 'isolated' | 'futures';

/** What the exchange requires of the orders of a pair in one market. */
export interface PairFilters {
  tickSize: string;
  stepSize: string;
  minQuantity: string;
  minNotional: string;
  /** The largest quantity of an order at market. Default: any. */
  maxMarketQuantity?: string;
  /** By which share of the market's price a purchase may be above it, and a sale below. Default: as on Binance. */
  priceLimit?: string;
}

/** A pair of the fake exchange. */
export interface TradedPair {
  base: string;
  quote: string;
  /** For spot and margin. */
  spot: PairFilters;
  /** null: it has no perpetual contract. */
  futures: PairFilters | null;
  /** What it answers for its candles and prices in place of the trades of its book; only in the process of the test. */
  candles?: Candles;
  /** Binance's word. Default: TRADING. */
  status?: string;
  /** Traded in 24 h, in the quote asset. */
  turnover?: number;
}

const filters = (tickSize: string, stepSize: string, minNotional: string): PairFilters => ({
  tickSize,
  stepSize,
  minQuantity: stepSize,
  minNotional,
});

/** Pairs that the exchange has unless it is told others; the filters are like Binance's. */
export const defaultPairs: readonly TradedPair[] = [
  {
    base: 'BTC',
    quote: 'USDT',
    spot: filters('0.01', '0.00001', '5'),
    futures: filters('0.1', '0.001', '50'),
  },
  {
    base: 'ETH',
    quote: 'USDT',
    spot: filters('0.01', '0.0001', '5'),
    futures: filters('0.01', '0.001', '20'),
  },
  { base: 'SOL', quote: 'USDT', spot: filters('0.01', '0.001', '5'), futures: filters('0.01', '0.01', '5') },
  { base: 'XRP', quote: 'USDT', spot: filters('0.0001', '0.1', '5'), futures: filters('0.0001', '0.1', '5') },
  { base: 'ETH', quote: 'BTC', spot: filters('0.00001', '0.0001', '0.0001'), futures: null },
];

/** Binance's name of a pair. */
export const symbolOf = ({ base, quote }: Pick<TradedPair, 'base' | 'quote'>): string => base + quote;

/** The filters of a pair in a market as decimals; null when it is not traded there. */
export function filtersOf(pair: TradedPair, kind: BookKind): Record<keyof PairFilters, Decimal> | null {
  const found = kind === 'futures' ? pair.futures : pair.spot;
  if (!found) return null;
  const {
    tickSize,
    stepSize,
    minQuantity,
    minNotional,
    priceLimit = '0',
    maxMarketQuantity = '90000',
  } = found;
  return {
    tickSize: Decimal.read(tickSize),
    stepSize: Decimal.read(stepSize),
    minQuantity: Decimal.read(minQuantity),
    minNotional: Decimal.read(minNotional),
    priceLimit: Decimal.read(priceLimit),
    maxMarketQuantity: Decimal.read(maxMarketQuantity),
  };
}
