import { Decimal } from '../../../compute/model/decimal.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { pairName, parsePair } from '../../../compute/model/market-pair.js';
import type {
  OpenVenueOrder,
  VenueHolding,
  VenuePosition,
} from '../../../storage/exchanges/trading-venue.js';
import {
  isOrderEnded,
  type ObservedDifferences,
  type StoredExecution,
} from '../../../storage/signals/stored-execution.js';

/** What is stored of an account, and what the exchange shows of it afterwards. */
export interface AccountFacts {
  /** The executions that are not ended, the newest first. */
  executions: readonly StoredExecution[];
  open: readonly OpenVenueOrder[];
  holdings: readonly VenueHolding[];
  positions: readonly VenuePosition[];
}

export interface AccountDifferences {
  /** What executions have to apply, by id. */
  observed: Map<string, ObservedDifferences>;
  /** A difference without an explanation; null if there is none. */
  unexplained: string | null;
  /** Open orders that none of these executions has. They are left alone. */
  foreign: OpenVenueOrder[];
}

/**
 * Compares an account with its executions. Orders come first: what is held is compared only when every order is as it is
 * stored, since a fill that was missed explains it.
 */
export function accountDifferences({
  executions,
  open,
  holdings,
  positions,
}: AccountFacts): AccountDifferences {
  const shown = new Map(open.map((order) => [order.clientOrderId, order]));
  const known = new Set(executions.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)));
  const foreign = [...shown.values()].filter(({ clientOrderId }) => !known.has(clientOrderId));
  const lookUps = executions
    .map((execution) => ({ execution, lookUp: ordersToLookUp(execution, shown) }))
    .filter(({ lookUp }) => lookUp.length > 0);
  if (lookUps.length > 0) {
    const observed = lookUps.map(({ execution: { id }, lookUp }): [string, ObservedDifferences] => [
      id,
      { lookUp, held: null, paused: null },
    ]);
    return { observed: new Map(observed), unexplained: null, foreign };
  }
  const missing = missingHoldings(executions, { holdings, positions });
  return { ...missing, foreign };
}

/** Orders that are open here and not there, or there and not here, or that were filled further. */
function ordersToLookUp({ orders }: StoredExecution, shown: ReadonlyMap<string, OpenVenueOrder>): string[] {
  return orders
    .filter((order) => {
      const there = shown.get(order.clientOrderId);
      if (isOrderEnded(order)) return there !== undefined;
      // What may have been sent is looked up by the execution itself.
      if (order.status !== 'open' && order.status !== 'partly_filled') return false;
      return there?.filled.compare(Decimal.read(order.filled)) !== 0;
    })
    .map(({ clientOrderId }) => clientOrderId);
}

/** Whether an order of the execution may be filled at this moment without its being stored. */
const isMoving = ({ orders }: StoredExecution): boolean =>
  orders.some(({ status }) => status === 'sent' || status === 'unknown');

function missingHoldings(
  executions: readonly StoredExecution[],
  { holdings, positions }: Pick<AccountFacts, 'holdings' | 'positions'>,
): Pick<AccountDifferences, 'observed' | 'unexplained'> {
  const observed = new Map<string, ObservedDifferences>();
  let unexplained: string | null = null;
  // Pairs of one asset share what is held of it on SPOT; positions are by pair.
  const placeOf = ({ account, pair }: StoredExecution) =>
    account === 'SPOT' ? parsePair(pair)!.base : `${account} ${pair}`;
  const planned = executions.filter(({ state }) => state !== null);
  for (const group of groupBy(planned, placeOf).values()) {
    const [{ account, pair }] = group;
    if (group.some(isMoving)) continue;
    const sides = new Set(group.map(({ state }) => state?.side));
    const base = parsePair(pair)!.base;
    const position = positions.find((each) => each.account === account && pairName(each.pair) === pair);
    const there =
      account === 'SPOT'
        ? (holdings.find((each) => each.account === account && each.asset === base)?.total ?? Decimal.zero)
        : (position?.quantity ?? Decimal.zero);
    // Long and short executions of a pair share one position: which of them it belongs to is not known.
    if (sides.size > 1) continue;
    const isShort = sides.has('short');
    const size = isShort ? there.negated() : there;
    if (size.sign < 0 && group.some((each) => heldBy(each).sign > 0))
      unexplained = `the exchange holds ${there.toString()} ${base} where signals are ${isShort ? 'short' : 'long'}`;
    for (const [id, held] of reducedTo(group, size.sign < 0 ? Decimal.zero : size))
      observed.set(id, { lookUp: [], held: held.toString(), paused: null });
  }
  return { observed, unexplained };
}

const heldBy = ({ state }: StoredExecution): Decimal =>
  state ? Decimal.read(state.position.quantity) : Decimal.zero;

/** What is left of executions that hold more than is there: the newest give first. */
function reducedTo(group: readonly StoredExecution[], there: Decimal): Map<string, Decimal> {
  let missing = Decimal.sum(group.map(heldBy)).minus(there);
  const reduced = new Map<string, Decimal>();
  for (const execution of group) {
    if (missing.sign <= 0) break;
    const held = heldBy(execution);
    if (held.sign <= 0) continue;
    const taken = missing.compare(held) < 0 ? missing : held;
    reduced.set(execution.id, held.minus(taken));
    missing = missing.minus(taken);
  }
  return reduced;
}
