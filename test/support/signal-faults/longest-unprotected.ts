import { Decimal } from '../../../compute/model/decimal.js';
import { isTradable, type PairRules } from '../../../compute/model/pair-rules.js';
import type { ExchangeLedger, LedgerOrder } from '../fake-exchange/exchange-ledger.js';

interface LedgerChange {
  at: number;
  /** What is held more. */
  held: Decimal;
  /** How many exits stand more. */
  exits: number;
  price: Decimal | null;
}

const isOpen = ({ status }: LedgerOrder): boolean => status === 'NEW' || status === 'PARTIALLY_FILLED';

/** A time in ms in which a position had no stop. */
export interface BareTime {
  ms: number;
  since: number;
}

/**
 * The longest time in which an account held something that could be sold while no stop stood at the exchange, by the ledger
 * of that account. `isExit`: orders that close the position instead of a stop. `untilMs`: when the ledger was read.
 */
export function longestUnprotected(
  { orders, trades }: Pick<ExchangeLedger, 'orders' | 'trades'>,
  { rules, isExit, untilMs }: { rules: PairRules; isExit: (order: LedgerOrder) => boolean; untilMs: number },
): BareTime {
  const none = { held: Decimal.zero, exits: 0, price: null };
  const changes: LedgerChange[] = trades.map(({ side, symbol, time, commissionAsset, ...amounts }) => {
    const [quantity, price] = [Decimal.read(amounts.quantity), Decimal.read(amounts.price)];
    const fee = symbol.startsWith(commissionAsset) ? Decimal.read(amounts.commission) : Decimal.zero;
    const held = (side === 'BUY' ? quantity : quantity.negated()).minus(fee);
    return { ...none, at: time, held, price };
  });
  for (const order of orders.filter(
    (each) => each.side === 'SELL' && (each.stopPrice !== null || isExit(each)),
  )) {
    changes.push({ ...none, at: order.time, exits: 1 });
    if (!isOpen(order)) changes.push({ ...none, at: order.updateTime, exits: -1 });
  }
  changes.sort((one, other) => one.at - other.at);
  let longest: BareTime = { ms: 0, since: untilMs };
  let [since, exits]: [number | null, number] = [null, 0];
  let held = Decimal.zero;
  let price: Decimal | null = null;
  const measure = (at: number) => {
    if (since !== null && at - since > longest.ms) longest = { ms: at - since, since };
  };
  for (const change of changes) {
    measure(change.at);
    held = held.plus(change.held);
    exits += change.exits;
    price = change.price ?? price;
    const isBare =
      exits === 0 && price !== null && isTradable(held.toStep(rules.stepSize, 'floor'), price, rules);
    since = isBare ? (since ?? change.at) : null;
  }
  measure(untilMs);
  return longest;
}
