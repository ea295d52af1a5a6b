import type { Claim } from '../../../compute/ledger/admit-claim.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { quotientPlaces } from '../../../compute/model/pair-rules.js';
import type { OpenExecution } from '../../../storage/ledger/open-executions.js';
import { decodeExecution } from '../../../storage/signals/execution-json.js';
import { isOrderEnded, type StoredOrder } from '../../../storage/signals/stored-execution.js';

/** Whether the exchange has not confirmed the order yet. An unconfirmed order that is being cancelled is not certain either. */
const isAsked = ({ status, cancelWanted, exchangeOrderId }: StoredOrder): boolean =>
  status === 'planned' ||
  status === 'sent' ||
  (status === 'unknown' && cancelWanted && exchangeOrderId === null);

const entryOrders = ({ orders }: OpenExecution): StoredOrder[] =>
  orders.filter((order) => !order.reduces && !isOrderEnded(order));

/** The claim of an execution on the number of signals that may be followed: 1 once it has an order or a position. */
export function countClaim(execution: OpenExecution): Claim {
  const { id, state, endedAt } = execution;
  const orders = entryOrders(execution);
  const hasPosition = endedAt === null && state !== null && Number(state.position.entered) > 0;
  const isCertain = hasPosition || orders.some((order) => !isAsked(order));
  return {
    id,
    certain: isCertain ? Decimal.one : Decimal.zero,
    asked: !isCertain && orders.length > 0 ? Decimal.one : Decimal.zero,
  };
}

/** What an execution invests, in quote units and without leverage: its position and its entry orders. */
export function valueClaim(execution: OpenExecution): Claim {
  const { id, state, endedAt } = execution;
  if (!state || endedAt !== null) return { id, certain: Decimal.zero, asked: Decimal.zero };
  const { position, leverage, lastPrice } = decodeExecution(state);
  const valueOf = (orders: readonly StoredOrder[]) =>
    orders.reduce((sum, { quantity, filled, price, stopPrice }) => {
      const worth = price ?? stopPrice ?? lastPrice?.toString() ?? '0';
      return sum.plus(Decimal.read(quantity).minus(Decimal.read(filled)).times(Decimal.read(worth)));
    }, Decimal.zero);
  const own = (value: Decimal) => value.dividedBy(Decimal.read(String(leverage)), quotientPlaces, 'ceil');
  const orders = entryOrders(execution);
  const left = position.entered.minus(position.exited);
  const held =
    left.sign <= 0
      ? Decimal.zero
      : position.entryValue.times(left).dividedBy(position.entered, quotientPlaces, 'ceil');
  return {
    id,
    certain: own(held.plus(valueOf(orders.filter((order) => !isAsked(order))))),
    asked: own(valueOf(orders.filter(isAsked))),
  };
}
