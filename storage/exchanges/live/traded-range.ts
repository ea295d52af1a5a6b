import type { Exchange } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
import { readDecimal } from '../read-decimal.js';
import type { TradedRange } from '../trading-venue.js';

const minuteMs = 60_000;
/** The candles of one answer: more than 16 hours. */
const mostCandles = 1_000;

/** A price that is further from any other (as a share of it) has to be confirmed: a single trade may be a mistake. */
export const mostChange = 0.02;

/**
 * The extremes of a market since a time, as far as a second price confirms them, by the recent trades that the exchange lists and by
 * candles of whole minutes in that span; null without any. An exchange that lists few trades leaves out a part of the first minute.
 */
export async function tradedRange(
  client: Exchange,
  symbol: string,
  sinceMs: number,
): Promise<TradedRange | null> {
  const trades = await client.fetchTrades(symbol, sinceMs);
  const prices = trades
    .filter(({ timestamp, info }) => timestamp !== undefined && timestamp >= sinceMs && isOnBook(info))
    .map(({ price }) => readDecimal(price));
  const minutes = await candles(client, symbol, sinceMs);
  // A single trade, or what a single minute has alone, is told as the last price if it lasts.
  const ranges = [
    ...(prices.length > 1 ? [confirmed(prices)] : []),
    ...(minutes.length > 0 ? [confirmedOver(minutes)] : []),
  ];
  return ranges.length === 0 ? null : ranges.reduce(widest);
}

/** The extremes of each minute candle that began at `sinceMs` or later. */
async function candles(client: Exchange, symbol: string, sinceMs: number): Promise<TradedRange[]> {
  const nowMs = client.milliseconds();
  const earliestMs = Math.max(sinceMs, nowMs - (mostCandles - 1) * minuteMs);
  const firstMs = Math.ceil(earliestMs / minuteMs) * minuteMs;
  if (firstMs > nowMs) return [];
  const rows = await client.fetchOHLCV(symbol, '1m', firstMs, mostCandles);
  return rows
    .filter(([startMs]) => Number(startMs) >= firstMs)
    .map(([, ...prices]) => confirmed(prices.slice(0, 4).map(readDecimal)));
}

/** The extremes of all prices, each as the next one to it where it is far from that. */
function confirmed(prices: readonly Decimal[]): TradedRange {
  const sorted = prices.toSorted((one, other) => one.compare(other));
  const [low, nextLow = low] = sorted;
  const [high, nextHigh = high] = sorted.toReversed();
  return { high: isFar(high, nextHigh) ? nextHigh : high, low: isFar(low, nextLow) ? nextLow : low };
}

const confirmedOver = (minutes: readonly TradedRange[]): TradedRange => ({
  high: confirmed(minutes.map(({ high }) => high)).high,
  low: confirmed(minutes.map(({ low }) => low)).low,
});

const isFar = (one: Decimal, other: Decimal): boolean =>
  Math.abs(Number(String(one)) / Number(String(other)) - 1) > mostChange;

const widest = (one: TradedRange, other: TradedRange): TradedRange => ({
  high: higherOf(one.high, other.high),
  low: Decimal.min(one.low, other.low),
});

const higherOf = (one: Decimal, other: Decimal): Decimal => (one.compare(other) >= 0 ? one : other);

/** The price of a block trade of Bybit was agreed outside of the order book. */
const isOnBook = (info: unknown): boolean =>
  (info as { isBlockTrade?: unknown } | null)?.isBlockTrade !== true;
