import type { Exchange, Market, Trade } from 'ccxt';
import { AppError } from '../../compute/model/errors.js';

/**
 * Makes a ccxt client throw `exchange_unavailable` for an answer with an incomplete trade. ccxt drops rows without a time and
 * accepts rows without a side or an id, so a cost basis could be computed from a part of the fills.
 */
export function requireWholeTrades(exchange: Exchange): void {
  const parse = exchange.parseTrades.bind(exchange);
  exchange.parseTrades = (rows: unknown[], market?: Market) => {
    const trades = parse(rows as Trade[], market);
    for (const trade of trades) requireWhole(trade);
    return trades;
  };
}

function requireWhole({ id, timestamp, side }: Trade): void {
  const lacks = !id ? 'an id' : !Number.isFinite(timestamp) ? 'a time' : isSide(side) ? null : 'a side';
  if (lacks)
    throw new AppError('exchange_unavailable', `the exchange answered with a fill that lacks ${lacks}`);
}

const isSide = (side: unknown): boolean => side === 'buy' || side === 'sell';
