import { Decimal } from '../../../compute/model/decimal.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { pairName, parsePair } from '../../../compute/model/market-pair.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
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

/** The stored state of an account, and its state at the exchange, which is read afterwards. */
export interface AccountFacts {
  /** The executions that are not ended, the newest first. */
  executions: readonly StoredExecution[];
  open: readonly OpenVenueOrder[];
  holdings: readonly VenueHolding[];
  positions: readonly VenuePosition[];
  /** See `TradingVenue`. */
  sharedWallet?: ReadonlySet<TradingAccount>;
  /** When the reading of the holdings began, in ms since 1970. */
  readAtMs: number;
}

/** How long balances and positions may lag behind the trades that are known: exchanges serve them from other copies. */
const settledMs = 2_000;

export interface AccountDifferences {
  /** The differences that executions have to apply, by id. */
  observed: Map<string, ObservedDifferences>;
  /** A difference without an explanation; null if there is none. */
  unexplained: string | null;
  /** Open orders that none of these executions has. They are left alone. */
  foreign: OpenVenueOrder[];
  /** Whether less is held than trades of the last seconds say, which the exchange may not show yet. */
  isUnsettled: boolean;
}

/**
 * Compares an account with its executions. Orders come first: holdings are compared only if every order is as it is stored,
 * because a missed fill explains a difference of holdings.
 */
export function accountDifferences({ executions, open, ...held }: AccountFacts): AccountDifferences {
  const shown = new Map(open.map((order) => [order.clientOrderId, order]));
  const known = new Set(executions.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)));
  const foreign = [...shown.values()].filter(({ clientOrderId }) => !known.has(clientOrderId));
  const lookUps = executions
    .map((execution) => ({ execution, lookUp: ordersToLookUp(execution, shown) }))
    .filter(({ lookUp }) => lookUp.length > 0);
  if (lookUps.length > 0) {
    const observed = lookUps.map(({ execution: { id }, lookUp }): [string, ObservedDifferences] => [
      id,
      { lookUp, held: null, line: null },
    ]);
    return { observed: new Map(observed), unexplained: null, foreign, isUnsettled: false };
  }
  const missing = missingHoldings(executions, held);
  return { ...missing, foreign };
}

/** Orders that are open only here or only at the exchange, or were filled further there. */
function ordersToLookUp({ orders }: StoredExecution, shown: ReadonlyMap<string, OpenVenueOrder>): string[] {
  return orders
    .filter((order) => {
      const there = shown.get(order.clientOrderId);
      if (isOrderEnded(order)) return there !== undefined;
      // The execution itself looks up an order that may have been sent.
      if (order.status !== 'open' && order.status !== 'partly_filled') return false;
      return there?.filled.compare(Decimal.read(order.filled)) !== 0;
    })
    .map(({ clientOrderId }) => clientOrderId);
}

/** Whether an order of the execution may have a fill now that is not stored yet. */
const isMoving = ({ orders }: StoredExecution): boolean =>
  orders.some(({ status }) => status === 'sent' || status === 'unknown');

/** Whether trades of the execution were stored a moment before `readAtMs`. */
const isFresh = ({ orders }: StoredExecution, readAtMs: number): boolean =>
  orders.some(({ fills, updatedAt }) => fills.length > 0 && readAtMs - updatedAt.getTime() < settledMs);

type HeldFacts = Pick<AccountFacts, 'holdings' | 'positions' | 'sharedWallet' | 'readAtMs'>;

function missingHoldings(
  executions: readonly StoredExecution[],
  facts: HeldFacts,
): Omit<AccountDifferences, 'foreign'> {
  const observed = new Map<string, ObservedDifferences>();
  let unexplained: string | null = null;
  let isUnsettled = false;
  const planned = executions.filter(({ state }) => state !== null);
  const groups = [...groupBy(planned, (each) => placeOf(each, facts)).values()]
    .filter((group) => !group.some(isMoving))
    // A position is long or short, and in hedge mode there is one of each.
    .flatMap((group) =>
      hasPosition(group[0]) ? [...groupBy(group, ({ state }) => state!.side).values()] : [group],
    );
  for (const group of groups) {
    const sides = new Set(group.map(({ state }) => state?.side));
    // If long and short executions share a holding, it is not known which of them it belongs to.
    if (sides.size > 1) continue;
    const isShort = sides.has('short');
    const there = heldThere(group[0], facts);
    // The debt of an asset that is also collateral does not show how much was sold short, but its trades show a liquidation.
    if (isShort && there.isLoanable) {
      if (there.debt.compare(Decimal.sum(group.map(heldBy))) < 0)
        for (const { id } of group)
          observed.set(id, { lookUp: [], held: null, isOwedLess: true, line: null });
      continue;
    }
    const size = isShort ? there.quantity.negated() : there.quantity;
    const { base } = parsePair(group[0].pair)!;
    if (size.sign < 0 && group.some((each) => heldBy(each).sign > 0))
      unexplained = `the exchange holds ${there.quantity.toString()} ${base} where signals are ${isShort ? 'short' : 'long'}`;
    const reduced = reducedTo(group, size.sign < 0 ? Decimal.zero : size);
    if (reduced.size > 0 && group.some((each) => isFresh(each, facts.readAtMs))) {
      isUnsettled = true;
      continue;
    }
    for (const [id, held] of reduced) observed.set(id, { lookUp: [], held: held.toString(), line: null });
  }
  return { observed, unexplained, isUnsettled };
}

/** Whether the exchange has a position for the pair of an execution, rather than holdings of its asset. */
const hasPosition = ({ account, marginMode }: StoredExecution): boolean =>
  account === 'FUTURES' || (account === 'MARGIN' && marginMode === 'ISOLATED');

/** Names what an execution holds and may share with others: a position, else the holding of an asset in a wallet. */
function placeOf(execution: StoredExecution, { sharedWallet }: HeldFacts): string {
  const { account, pair } = execution;
  if (hasPosition(execution)) return `${account} ${pair}`;
  const wallet = sharedWallet?.has(account) ? 'wallet' : account;
  return `${wallet} ${parsePair(pair)!.base}`;
}

/** The quantity at the exchange that an execution is compared with, and what is owed of it. `isLoanable`: it is a holding on margin. */
function heldThere(
  execution: StoredExecution,
  { holdings, positions }: HeldFacts,
): { quantity: Decimal; debt: Decimal; isLoanable: boolean } {
  const { account, pair } = execution;
  if (hasPosition(execution)) {
    const sign = execution.state!.side === 'long' ? 1 : -1;
    const found = positions.find(
      (each) =>
        each.account === account &&
        pairName(each.pair) === pair &&
        (!each.isHedged || each.quantity.sign === sign),
    );
    const quantity = found?.quantity ?? Decimal.zero;
    return { quantity, debt: quantity.negated(), isLoanable: account === 'MARGIN' };
  }
  const { base } = parsePair(pair)!;
  const holding = holdings.find((each) => each.account === account && each.asset === base);
  const { total = Decimal.zero, debt = Decimal.zero } = holding ?? {};
  return { quantity: total, debt, isLoanable: account === 'MARGIN' };
}

const heldBy = ({ state }: StoredExecution): Decimal =>
  state ? Decimal.read(state.position.quantity) : Decimal.zero;

/** The reduced quantities of executions that hold more than the exchange: the newest are reduced first. */
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
