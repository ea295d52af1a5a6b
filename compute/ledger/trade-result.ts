import { Decimal } from '../model/decimal.js';
import { quotientPlaces } from '../model/pair-rules.js';
import type { TradeSide } from '../model/risk-assessment.js';
import { utcDay } from '../model/utc-day.js';
import { feesByAsset } from './fees-by-asset.js';
import { realisedProfits, type LedgerFill, type RealisedProfit, type ValuedFee } from './realised-profits.js';

/** A fill beside the prices with which it is compared. */
export interface TradeFill extends LedgerFill {
  /** The price that the signal named for it; null if it named none, as for a sale at market. */
  readonly signalPrice: Decimal | null;
  /** For a fill of the signal's own entries the market price when it was delivered; null where none was known, and for others. */
  readonly deliveryPrice: Decimal | null;
}

/** Funding or interest that belongs to a trade. */
export interface TradePayment {
  /** The id of its line in the ledger of the exchange. */
  readonly id: string;
  readonly asset: string;
  /** Received (above 0) or paid, in units of the asset, and its value in quote units. */
  readonly amount: Decimal;
  readonly value: Decimal;
  readonly at: number;
}

/** A closed trade with all its fills. */
export interface ClosedTrade {
  readonly side: TradeSide;
  readonly leverage: number;
  readonly base: string;
  readonly quote: string;
  /** In the order in which they happened; at least one. */
  readonly fills: readonly TradeFill[];
  /** Funding that fills reported, received (above 0) or paid, in quote units. */
  readonly funding: Decimal;
  /** Funding and interest that the exchange's ledger reported. */
  readonly payments: readonly TradePayment[];
  /** The first stop of the signal; null without one. */
  readonly initialStop: Decimal | null;
}

/** The profit or loss of a UTC day, in quote units. */
export interface DayProfit {
  readonly day: string;
  readonly profit: Decimal;
}

/** The result of a trade. Money is in quote units, percent means 5 for 5 %, times are in ms since 1970. */
export interface TradeResult {
  /** Realised profit net of fees, with funding. */
  readonly profit: Decimal;
  /**
   * The profit by the UTC day of the fill or payment. Days without profit or loss are left out. Funding that fills reported
   * counts on the day of the last fill.
   */
  readonly days: readonly DayProfit[];
  /** Funding and interest, which are part of the profit. */
  readonly funding: Decimal;
  readonly payments: readonly TradePayment[];
  readonly fees: readonly ValuedFee[];
  readonly entered: Decimal;
  readonly exited: Decimal;
  readonly averageEntry: Decimal | null;
  readonly averageExit: Decimal | null;
  /** The value of the entries divided by the leverage, without fees. */
  readonly invested: Decimal;
  /** Profit in percent of the invested amount. */
  readonly returnPercent: number | null;
  /** See `rMultiple`. */
  readonly r: number | null;
  /** See `slippagePercent`. */
  readonly entrySlippagePercent: number | null;
  readonly exitSlippagePercent: number | null;
  /** The same against the market price when the signal was delivered; below 0 where an entry waited for a better one. */
  readonly deliverySlippagePercent: number | null;
  /** What is still held, such as dust. Its cost is not part of the profit. */
  readonly left: Decimal;
  readonly openedAt: number;
  readonly closedAt: number;
}

/** The result of a trade; see `realisedProfits` for how profit is counted. */
export function tradeResult(trade: ClosedTrade): TradeResult {
  const { side, leverage, fills, funding, payments, initialStop } = trade;
  const entrySide = side === 'long' ? 'buy' : 'sell';
  const entries = fills.filter((fill) => fill.side === entrySide);
  const exits = fills.filter((fill) => fill.side !== entrySide);
  const { profits, left } = realisedProfits(fills);
  const [openedAt, closedAt] = [fills[0].at, fills[fills.length - 1].at];
  const paid = payments.map(({ at, value }) => ({ at, profit: value }));
  const all = [...profits, { at: closedAt, profit: funding }, ...paid];
  const profit = Decimal.sum(all.map((each) => each.profit));
  const invested = valueOf(entries).dividedBy(Decimal.read(String(leverage)), quotientPlaces, 'half-even');
  return {
    profit,
    days: byDay(all),
    funding: Decimal.sum([funding, ...payments.map(({ value }) => value)]),
    payments,
    fees: feesByAsset(trade),
    entered: quantityOf(entries),
    exited: quantityOf(exits),
    averageEntry: average(entries),
    averageExit: average(exits),
    invested,
    returnPercent: ratio(profit, invested, 100),
    r: rMultiple(profit, trade.side, entries, initialStop),
    entrySlippagePercent: slippagePercent(entries, ({ signalPrice }) => signalPrice),
    exitSlippagePercent: slippagePercent(exits, ({ signalPrice }) => signalPrice),
    deliverySlippagePercent: slippagePercent(entries, ({ deliveryPrice }) => deliveryPrice),
    left: left.quantity,
    openedAt,
    closedAt,
  };
}

/**
 * Profit as a multiple of the risk at entry, which is the distance of the entries from the first stop (Van Tharp, Trade Your
 * Way to Financial Freedom, 1998). Null without a stop, and for entries beyond it.
 */
function rMultiple(
  profit: Decimal,
  side: TradeSide,
  entries: readonly LedgerFill[],
  stop: Decimal | null,
): number | null {
  if (!stop) return null;
  const atStop = quantityOf(entries).times(stop);
  const risk = side === 'long' ? valueOf(entries).minus(atStop) : atStop.minus(valueOf(entries));
  return ratio(profit, risk, 1);
}

/**
 * How much worse than given prices the fills were, in percent of their value at these prices; below 0 if they were better. Null
 * where no fill has such a price.
 */
function slippagePercent(
  fills: readonly TradeFill[],
  priceOf: (fill: TradeFill) => Decimal | null,
): number | null {
  const compared = fills.flatMap((fill) => {
    const named = priceOf(fill);
    return named ? [{ ...fill, named }] : [];
  });
  const worse = compared.map(({ side, quantity, price, named }) => {
    const above = price.minus(named);
    return quantity.times(side === 'buy' ? above : above.negated());
  });
  return ratio(
    Decimal.sum(worse),
    Decimal.sum(compared.map(({ quantity, named }) => quantity.times(named))),
    100,
  );
}

function byDay(profits: readonly RealisedProfit[]): DayProfit[] {
  const days = new Map<string, Decimal>();
  for (const { at, profit } of profits) {
    const day = utcDay(at);
    days.set(day, (days.get(day) ?? Decimal.zero).plus(profit));
  }
  return [...days]
    .map(([day, profit]) => ({ day, profit }))
    .filter(({ profit }) => profit.sign !== 0)
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

const quantityOf = (fills: readonly LedgerFill[]): Decimal =>
  Decimal.sum(fills.map(({ quantity }) => quantity));

const valueOf = (fills: readonly LedgerFill[]): Decimal =>
  Decimal.sum(fills.map(({ quantity, price }) => quantity.times(price)));

const average = (fills: readonly LedgerFill[]): Decimal | null =>
  fills.length === 0 ? null : valueOf(fills).dividedBy(quantityOf(fills), quotientPlaces, 'half-even');

/** A quotient as a statistic; null for a divisor of 0 or below. */
const ratio = (above: Decimal, below: Decimal, factor: number): number | null =>
  below.sign <= 0
    ? null
    : Number(
        above
          .times(Decimal.read(String(factor)))
          .dividedBy(below, quotientPlaces, 'half-even')
          .toString(),
      );
