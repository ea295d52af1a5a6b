import type { Exchange, Market } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { readDecimal } from '../read-decimal.js';
import type { VenueTrading } from '../venue-trading.js';
import { contractSizeOf } from './contract-size.js';

interface MarketLimits {
  market?: { max?: number };
}

/** The name of a pair's market in ccxt: on FUTURES, the perpetual that settles in the quote asset. */
export const marketSymbol = ({ base, quote }: PairSymbols, account: TradingAccount): string =>
  account === 'FUTURES' ? `${base}/${quote}:${quote}` : `${base}/${quote}`;

/**
 * Statuses of markets that come to their end: DELIVERING, DELIVERED, PRE_SETTLE, SETTLING, CLOSE (Binance, "Common Definition" of futures),
 * Delivering, Settling, Closed (Bybit, https://bybit-exchange.github.io/docs/v5/enum#status), BeingSettled, Settled, Closed (KuCoin, "Get
 * Symbol" of futures). Spot markets have none: BREAK of Binance and `enableTrading` false of KuCoin stand for a halt and for the end.
 */
const ending = /deliver|settl|clos/i;

/** Whether the exchange lists a market and takes no orders for it now, and it is not known to end. */
export function isHaltedMarket(client: Exchange, symbol: string): boolean {
  const market = client.markets?.[symbol] as Market | undefined;
  if (market?.active !== false) return false;
  const { status, contractStatus } = market.info as { status?: string; contractStatus?: string };
  return !ending.test(status ?? contractStatus ?? '');
}

/** The exchange's rules for orders on a market, with quantities in base units; null if the market is not traded now. `trading`: of the exchange. */
export function rulesOfMarket(
  client: Exchange,
  symbol: string,
  trading?: Pick<VenueTrading, 'feesIn' | 'mostAtMarket' | 'priceBand'>,
): PairRules | null {
  const market = client.markets?.[symbol] as Market | undefined;
  if (!market || market.active === false) return null;
  const { precision, limits } = market;
  if (precision.price === undefined || precision.amount === undefined) return null;
  const contractSize = contractSizeOf(client, symbol);
  const stepSize = readDecimal(precision.amount).times(contractSize);
  return {
    tickSize: readDecimal(precision.price),
    stepSize,
    minQuantity:
      limits.amount?.min === undefined ? stepSize : readDecimal(limits.amount.min).times(contractSize),
    ...largest('maxQuantity', limits.amount?.max, contractSize),
    // Binance: the filter MARKET_LOT_SIZE, which ccxt tells beside its own limits.
    ...largest(
      'maxMarketQuantity',
      trading?.mostAtMarket?.(market) ?? (limits as MarketLimits).market?.max,
      contractSize,
    ),
    // Binance, error codes of futures, -4164: "no smaller than 5 (unless you choose reduce only)"; Bybit, "Derivatives Trading
    // Rules": closing orders need no minimum value; KuCoin counts in contracts.
    ...(market.contract === true && { isReduceExempt: true }),
    ...(trading && { feesIn: market.contract === true ? 'quote' : trading.feesIn }),
    ...trading?.priceBand?.(market),
    minNotional: limits.cost?.min === undefined ? Decimal.zero : readDecimal(limits.cost.min),
  };
}

/** A largest quantity, in base units; nothing where the exchange names none. */
const largest = <Name extends string>(
  name: Name,
  max: unknown,
  contractSize: Decimal,
): Partial<Record<Name, Decimal>> => {
  const quantity = max === undefined ? Decimal.zero : readDecimal(max).times(contractSize);
  return quantity.sign > 0 ? ({ [name]: quantity } as Record<Name, Decimal>) : {};
};
