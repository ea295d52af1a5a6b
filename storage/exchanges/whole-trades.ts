import type { Exchange, Market, Trade } from 'ccxt';
import { AppError } from '../../compute/model/errors.js';

/**
 * Makes an exchange give a trade for each row of an answer, or fail. By itself ccxt leaves rows out that have no time, and
 * takes those over that lack a side or an id: a cost would then be told that rests on a part of the fills.
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
