import type { Claim } from '../../../compute/ledger/admit-claim.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { quotientPlaces } from '../../../compute/model/pair-rules.js';
import { averageEntry, type Execution } from '../../../compute/signals/execution.js';
import type { OpenExecution } from '../../../storage/ledger/open-executions.js';
import { decodeExecution } from '../../../storage/signals/execution-json.js';
import { isOrderEnded, type StoredOrder } from '../../../storage/signals/stored-execution.js';

/** Whether the exchange has not confirmed the order yet. An unconfirmed order that is being cancelled is not certain either. */
const isAsked = ({ status, cancelWanted, exchangeOrderId }: StoredOrder): boolean =>
  status === 'planned' ||
  status === 'sent' ||
  (status === 'unknown' && cancelWanted && exchangeOrderId === null);

const entryOrders = ({ orders }: Pick<OpenExecution, 'orders'>): StoredOrder[] =>
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
  return claimOf(execution, ({ leverage }) => {
    const own = Decimal.read(String(leverage));
    return (quantity, price) => quantity.times(price).dividedBy(own, quotientPlaces, 'ceil');
  });
}

/** The least share of the investment that a stop may lose: the price may jump over it. */
const gapShare = Decimal.parse('0.2');

/**
 * What an execution may lose, in quote units: down to its stop, and at least a fifth of the investment; nothing at a stop beyond its
 * entry. Without a stop all of it can be lost: the value, or with margin of its own that margin.
 */
export function riskClaim(execution: OpenExecution): Claim {
  return claimOf(execution, ({ side, stop, pendingStop, leverage, status, lastPrice }) => {
    const planned = stop?.trigger ?? pendingStop?.trigger ?? null;
    const level = status === 'closing' ? lastPrice : planned;
    const own = Decimal.read(String(leverage));
    const backing = execution.marginMode === 'ISOLATED' ? own : Decimal.one;
    return (quantity, price) => {
      const most = quantity.times(price).dividedBy(backing, quotientPlaces, 'ceil');
      if (!level) return most;
      const each = side === 'long' ? price.minus(level) : level.minus(price);
      if (each.sign <= 0) return Decimal.zero;
      const [loss, gap] = [
        quantity.times(each),
        quantity.times(price).times(gapShare).dividedBy(own, quotientPlaces, 'ceil'),
      ];
      return Decimal.min(most, loss.compare(gap) < 0 ? gap : loss);
    };
  });
}

/** The claims of an execution for its position and its entry orders; `weigh` says what a quantity at a price claims. */
function claimOf(
  { id, state, endedAt, orders }: OpenExecution,
  weigh: (execution: Execution) => (quantity: Decimal, price: Decimal) => Decimal,
): Claim {
  if (!state || endedAt !== null) return { id, certain: Decimal.zero, asked: Decimal.zero };
  const execution = decodeExecution(state);
  const { position, lastPrice } = execution;
  const claimed = weigh(execution);
  const ofOrders = (some: readonly StoredOrder[]) =>
    Decimal.sum(
      some.map(({ quantity, filled, price, stopPrice }) => {
        const worth = price ?? stopPrice ?? lastPrice?.toString() ?? '0';
        return claimed(Decimal.read(quantity).minus(Decimal.read(filled)), Decimal.read(worth));
      }),
    );
  const left = position.entered.minus(position.exited);
  const held = left.sign <= 0 ? Decimal.zero : claimed(left, averageEntry(execution)!);
  const open = entryOrders({ orders });
  return {
    id,
    certain: held.plus(ofOrders(open.filter((order) => !isAsked(order)))),
    asked: ofOrders(open.filter(isAsked)),
  };
}

/**
 * What others may be about to take from a balance: the entry orders that the exchange has not confirmed, those of earlier signals and
 * those that may have been sent. Of two that ask at once the later one waits, until the earlier one is in the balance.
 */
export const reservedByOthers = (others: readonly OpenExecution[], id: string): Decimal =>
  Decimal.sum(
    others
      .filter((each) => each.id !== id)
      .map((each) => {
        const orders = each.orders.filter(({ status }) => each.id < id || status !== 'planned');
        return valueClaim({ ...each, orders }).asked;
      }),
  );

/**
 * What executions hold of an asset and have to sell again, as far as no order at the exchange locks it: others, which trade against the
 * asset, must not spend it.
 */
export const coinsToSell = (asset: string, executions: readonly OpenExecution[]): Decimal =>
  Decimal.sum(
    executions
      .filter(({ pair, state }) => pair.startsWith(`${asset}/`) && state?.side === 'long')
      .map(({ state, orders }) => {
        const locked = orders
          .filter((order) => order.reduces && order.exchangeOrderId !== null && !isOrderEnded(order))
          .map(({ quantity, filled }) => Decimal.read(quantity).minus(Decimal.read(filled)));
        const free = Decimal.read(state!.position.quantity).minus(Decimal.sum(locked));
        return free.sign > 0 ? free : Decimal.zero;
      }),
  );

/**
 * When (ms since 1970) anything was last heard of an entry that the exchange has taken from the balance; 0: of none. Unconfirmed ones are
 * reserved instead.
 */
export const lastTakenMs = ({ orders }: Pick<OpenExecution, 'orders'>): number =>
  Math.max(
    0,
    ...orders
      .filter((order) => !order.reduces && !isAsked(order))
      .map(({ updatedAt, acknowledgedAt = updatedAt }) =>
        Math.max(updatedAt.getTime(), acknowledgedAt.getTime()),
      ),
  );

/** Whether an execution has a position or an entry order, and whether the exchange has confirmed it. */
export function entryStandingOf(execution: OpenExecution): 'certain' | 'asked' | 'none' {
  const { certain, asked } = countClaim(execution);
  return certain.sign > 0 ? 'certain' : asked.sign > 0 ? 'asked' : 'none';
}
