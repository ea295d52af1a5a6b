import type { Db } from 'mongodb';
import { Decimal } from '../../../compute/model/decimal.js';
import type { PaperEventRow, PaperOrderRow } from '../../../storage/exchanges/paper/paper-rows.js';
import { targetIdOf, wholeId } from '../../../storage/exchanges/venues/binance/binance-pair.js';
import type { ExchangeLedger, LedgerOrder } from '../fake-exchange/exchange-ledger.js';

/** An order as the exchange itself has it in its books. */
export interface VenueLedgerOrder {
  userId: string;
  clientOrderId: string;
  side: 'buy' | 'sell';
  isOpen: boolean;
  filled: Decimal;
  /** Price times quantity of its trades. */
  value: Decimal;
  /** Fees that were taken in the base asset. */
  baseFees: Decimal;
}

/** The orders of users on the paper exchange, from its rows. */
export async function paperLedger(db: Db, userIds: readonly string[]): Promise<VenueLedgerOrder[]> {
  const rows = await db
    .collection<PaperOrderRow | PaperEventRow>('paper_orders')
    .find({ userId: { $in: [...userIds] } })
    .toArray();
  const orders = rows.filter((row): row is PaperOrderRow => 'seq' in row);
  const events = rows.filter((row): row is PaperEventRow => !('seq' in row));
  const placed = new Set(orders.map(({ _id }) => _id));
  // Orders that were cancelled before they were placed have an end alone.
  const withdrawn = events.filter(({ _id, order }) => _id === order && !placed.has(order));
  return [...orders, ...withdrawn].map(({ _id, userId, side }) => {
    const own = events.filter(({ order }) => order === _id);
    const fills = own.filter(({ quantity }) => quantity !== null);
    return {
      ...{ userId, clientOrderId: _id, side },
      isOpen: own.every(({ end }) => end === null),
      filled: sum(fills.map(({ quantity }) => Decimal.read(quantity!))),
      value: sum(fills.map(({ quantity, price }) => Decimal.read(quantity!).times(Decimal.read(price!)))),
      baseFees: sum(fills.map(({ baseFee }) => Decimal.read(baseFee ?? '0'))),
    };
  });
}

/** The orders of users on the fake exchange. `userOf`: the user of an API key. */
export function exchangeLedgerOrders(
  { orders, trades }: ExchangeLedger,
  userOf: (apiKey: string) => string,
): VenueLedgerOrder[] {
  // An order that is stop and target in one has two there, of which one trades at most.
  const isOther = ({ clientOrderId, executed }: LedgerOrder) => {
    const isTarget = wholeId(clientOrderId) !== clientOrderId;
    const traded = Number(executed) > 0;
    if (isTarget) return !traded;
    const target = orders.find((each) => each.clientOrderId === targetIdOf(clientOrderId));
    return !traded && target !== undefined && Number(target.executed) > 0;
  };
  const whole = orders.filter((order) => !isOther(order));
  return whole.map(({ id, apiKey, clientOrderId, symbol, side, status, executed }) => {
    const own = trades.filter(({ orderId }) => orderId === id);
    const fees = own.filter(({ commissionAsset }) => symbol.startsWith(commissionAsset));
    return {
      ...{ userId: userOf(apiKey), clientOrderId: wholeId(clientOrderId) },
      side: side === 'BUY' ? 'buy' : 'sell',
      isOpen: status === 'NEW' || status === 'PARTIALLY_FILLED',
      filled: Decimal.read(executed),
      value: sum(own.map(({ quantity, price }) => Decimal.read(quantity).times(Decimal.read(price)))),
      baseFees: sum(fees.map(({ commission }) => Decimal.read(commission))),
    };
  });
}

export const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, value) => total.plus(value), Decimal.zero);
