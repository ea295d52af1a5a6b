import { tradeResult } from '../../../compute/ledger/trade-result.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { utcDay } from '../../../compute/model/utc-day.js';
import type { BookedTrade } from '../../../storage/ledger/booked-trade.js';
import type { OpenExecution } from '../../../storage/ledger/open-executions.js';
import { tradeOf } from '../booking/trade-of.js';

/** A trade that is booked, as losses count it. */
export type LossLine = Pick<BookedTrade, 'id' | 'userId' | 'exchange' | 'tradeMarket' | 'days'>;

/** Where losses are counted. */
export interface LossScope {
  userId: string;
  exchange: string;
  quote: string;
}

/**
 * The loss of a user since 00:00 UTC on an exchange, in units of a quote asset: below 0 for a profit. The profits and losses of
 * all fills of the day count, those of running executions included. `open` has to be read before `booked`: an execution that is
 * booked in between is in both, and counts once.
 */
export function lostToday(
  { userId, exchange, quote }: LossScope,
  open: readonly OpenExecution[],
  booked: readonly LossLine[],
  nowMs: number,
): Decimal {
  const today = utcDay(nowMs);
  const isIn = (each: { userId: string; exchange: string }) =>
    each.userId === userId && each.exchange === exchange;
  const lines = booked.filter((each) => isIn(each) && each.tradeMarket === quote);
  const known = new Set(lines.map(({ id }) => id));
  const others = open
    .filter((each) => isIn(each) && !known.has(each.id) && each.pair.endsWith(`/${quote}`))
    .flatMap((each) => {
      const trade = tradeOf(each, null, () => null);
      return trade ? tradeResult(trade).days : [];
    });
  const profits = [
    ...others.filter(({ day }) => day === today).map(({ profit }) => profit),
    ...lines
      .flatMap(({ days }) => days.filter(({ day }) => day === today))
      .map(({ profit }) => Decimal.read(profit)),
  ];
  return profits.reduce((lost, profit) => lost.minus(profit), Decimal.zero);
}
