import { Decimal } from '../../../compute/model/decimal.js';
import { isTradable } from '../../../compute/model/pair-rules.js';
import { decodeExecution } from '../../../storage/signals/execution-json.js';
import {
  isOrderEnded,
  type StoredExecution,
  type StoredOrder,
} from '../../../storage/signals/stored-execution.js';
import { sum, type VenueLedgerOrder } from './venue-ledger.js';

/** What is wrong between the books of the exchange and what Tidemark believes. */
export type LedgerFault =
  | 'duplicate order'
  | 'unknown order'
  | 'lost order'
  | 'wrong fills'
  | 'order left open'
  | 'wrong position'
  | 'position left'
  | 'over-invested'
  | 'not ended'
  /** A process of Tidemark ended though nothing ended it. */
  | 'worker crashed';

export interface JudgedFault {
  fault: LedgerFault;
  /** Or the process that is at fault. */
  execution: string;
  /** In words, with what was expected and found. */
  detail: string;
}

/** How far above the cap a purchase at market may cost, by slippage. */
const slippage = Decimal.parse('1.05');

/** Compares an execution that should have ended with the orders that the exchange has for its user and pair. */
export function judgeExecution(
  execution: StoredExecution,
  ledger: readonly VenueLedgerOrder[],
): JudgedFault[] {
  const faults: JudgedFault[] = [];
  const report = (fault: LedgerFault, detail: string) =>
    faults.push({ fault, execution: execution.id, detail });
  const known = new Map(execution.orders.map((order) => [order.clientOrderId, order]));
  const ids = ledger.map(({ clientOrderId }) => clientOrderId);
  for (const id of new Set(ids.filter((each, n) => ids.indexOf(each) !== n)))
    report(
      'duplicate order',
      `${id} (${known.get(id)?.leg}) is on the exchange ${ids.filter((each) => each === id).length} times`,
    );
  for (const order of ledger) {
    const { clientOrderId, isOpen, filled, side } = order;
    const stored = known.get(clientOrderId);
    if (!stored) report('unknown order', `${side} ${clientOrderId} filled ${String(filled)}`);
    else if (!Decimal.read(stored.filled).compare(filled)) {
      const fills = sum(stored.fills.map(({ quantity }) => Decimal.read(quantity)));
      if (fills.compare(filled) !== 0)
        report('wrong fills', `${stored.leg} has fills of ${String(fills)}, the exchange ${String(filled)}`);
    } else
      report('wrong fills', `${stored.leg} is filled ${stored.filled}, on the exchange ${String(filled)}`);
    if (isOpen) report('order left open', `${side} ${stored?.leg ?? clientOrderId}`);
  }
  for (const order of execution.orders)
    if (!ids.includes(order.clientOrderId) && mustBeThere(order))
      report('lost order', `${order.leg} is ${order.status}, and not on the exchange`);
  if (execution.endedAt === null || execution.orders.some((order) => !isOrderEnded(order)))
    report(
      'not ended',
      `${execution.status}, due ${execution.dueAt?.toISOString()}, fault ${execution.fault?.message}`,
    );
  judgePosition(execution, ledger, report);
  return faults;
}

/** Whether an order that Tidemark calls done must have been on the exchange. */
const mustBeThere = ({ status, filled, exchangeOrderId }: StoredOrder): boolean =>
  Decimal.read(filled).sign > 0 || (exchangeOrderId !== null && status !== 'rejected');

function judgePosition(
  { state }: StoredExecution,
  ledger: readonly VenueLedgerOrder[],
  report: (fault: LedgerFault, detail: string) => void,
): void {
  if (!state) {
    if (ledger.length > 0) report('unknown order', `${ledger.length} orders of a signal that was skipped`);
    return;
  }
  const { leverage, position, rules, lastPrice, maxInvested } = decodeExecution(state);
  const of = (side: 'buy' | 'sell') => ledger.filter((order) => order.side === side);
  const bought = sum(of('buy').map(({ filled, baseFees }) => filled.minus(baseFees)));
  const held = bought.minus(sum(of('sell').map(({ filled, baseFees }) => filled.plus(baseFees))));
  if (held.compare(position.quantity) !== 0)
    report('wrong position', `${String(position.quantity)} is believed, the trades leave ${String(held)}`);
  if (lastPrice && isTradable(held.toStep(rules.stepSize, 'floor'), lastPrice, rules))
    report('position left', `${String(held)} at ${String(lastPrice)}`);
  const spent = sum(of('buy').map(({ value }) => value));
  const most = maxInvested.times(Decimal.read(String(leverage)));
  if (spent.compare(most.times(slippage)) > 0)
    report('over-invested', `${String(spent)} of at most ${String(most)}`);
}
