import type { Market } from 'ccxt';
import { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import type { PairTerms } from '../../compute/model/pair-terms.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import { lastTicks } from './live/live-markets.js';
import { marketSymbol, rulesOfMarket } from './live/market-rules.js';
import type { OpenExchanges } from './open-exchanges.js';
import { readDecimal } from './read-decimal.js';
import { findVenue } from './venues/index.js';

const hundred = Decimal.parse('100');

/**
 * What an exchange requires of orders of a pair. The fees are those of ccxt for the base tier. Throws `invalid_input` for a
 * pair or account that is not traded there, and what the request throws.
 */
export async function readPairTerms(
  exchanges: OpenExchanges,
  exchange: string,
  pair: PairSymbols,
  account: TradingAccount,
): Promise<PairTerms> {
  const accounts = accountsOf(exchanges.known.entry(exchange).id);
  if (!accounts.includes(account)) {
    const message = `"account" must be one of ${accounts.join(', ')} on ${exchange}, found "${account}"`;
    throw new AppError('invalid_input', message, { details: { field: 'account' } });
  }
  const client = await exchanges.markets(exchange, account);
  const symbol = marketSymbol(pair, account);
  const rules = rulesOfMarket(client, symbol);
  if (!rules) throw notTraded(exchange, pair, account);
  const { maker, taker, limits } = client.markets![symbol] as Market & object;
  const most = limits.leverage?.max;
  return {
    priceTick: String(rules.tickSize),
    quantityStep: String(rules.stepSize),
    minQuantity: String(rules.minQuantity),
    minNotional: String(rules.minNotional),
    maxLeverage: account === 'SPOT' ? '1' : most === undefined ? null : String(readDecimal(most)),
    makerPercent: percentOf(maker),
    takerPercent: percentOf(taker),
  };
}

/** The last price of a pair where Tidemark places orders on an account; null where it does not, or the exchange tells none. */
export async function readLastPrice(
  exchanges: OpenExchanges,
  exchange: string,
  pair: PairSymbols,
  account: TradingAccount,
): Promise<number | null> {
  const guard = await exchanges.guard(exchange);
  const venue = findVenue(guard.id);
  if (!venue?.trading) return null;
  const client = await exchanges.markets(exchange, account);
  const [tick] = await guard.ask(() => lastTicks(client, venue, [pair], account), 'decide');
  return tick ? Number(tick.price.toString()) : null;
}

/** The accounts of an exchange whose rules can be read: those on which Tidemark places orders, or SPOT for an exchange without trading. */
export const accountsOf = (id: string): TradingAccount[] => [
  ...(findVenue(id)?.trading?.accounts ?? (['SPOT'] as const)),
];

export const notTraded = (exchange: string, pair: PairSymbols, account: TradingAccount): AppError =>
  new AppError('invalid_input', `"${pairName(pair)}" is not traded on ${account} of ${exchange}`, {
    details: { field: 'asset' },
  });

const percentOf = (rate: number | undefined): string | null =>
  rate === undefined ? null : String(readDecimal(rate).times(hundred));
