import { Decimal } from '../../compute/model/decimal.js';
import { groupBy } from '../../compute/model/group-by.js';
import { AppError } from '../../compute/model/errors.js';
import { pairName, parsePair } from '../../compute/model/market-pair.js';
import type {
  AccountFill,
  Lookup,
  TradingVenue,
  VenuePosition,
} from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import type { MailKind } from '../../storage/mail/mail-kinds.js';
import { tellOwner } from '../../storage/mail/tell-owner.js';
import type { LeveragedExecution } from '../../storage/ledger/open-executions.js';
import { isOrderEnded, type StoredOrder } from '../../storage/signals/stored-execution.js';
import { forcedShares, type PositionHolder } from './forced-shares.js';
import type { ExecutionRun } from './run/execution-run.js';

export interface LiquidationTools {
  venues: ReadonlyMap<string, TradingVenue>;
  storage: Pick<Storage, 'mails' | 'users'> & {
    openExecutions: Pick<Storage['openExecutions'], 'leveraged' | 'onAccount'>;
  };
}

/** What is known of the positions of a user on a venue. */
interface PositionFacts {
  venue: TradingVenue;
  positions: readonly VenuePosition[];
  /** The executions that hold these positions, as they are stored. */
  holders: readonly LeveragedExecution[];
}

/**
 * Notes the liquidation prices of executions on margin and futures accounts, and applies liquidations. The trades of an
 * account are read only if its position is smaller than what its executions hold together: after a liquidation, another
 * execution may have opened a new position. A real exchange is asked only after a comparison has found less there.
 */
export async function applyLiquidations(
  { venues, storage }: LiquidationTools,
  runs: readonly ExecutionRun[],
): Promise<void> {
  const held = runs.filter(
    ({ stored, state }) =>
      stored.account !== 'SPOT' &&
      state.position.quantity.sign > 0 &&
      venues.get(stored.exchange)?.tellsLiquidations,
  );
  const isReal = ({ stored }: ExecutionRun) => venues.get(stored.exchange)!.lateMs !== undefined;
  for (const run of held.filter((each) => isReal(each) && each.isReduced))
    if (!(await applyForced(storage, venues.get(run.stored.exchange)!, run))) run.forgetReduced();
  const holding = held.filter((each) => !isReal(each));
  if (holding.length === 0) return;
  const userIds = holding.map(({ stored }) => stored.userId);
  const exchanges = new Set(holding.map(({ stored }) => stored.exchange));
  const holders = await storage.openExecutions.leveraged(userIds, [...exchanges]);
  const groups = groupBy(holding, ({ stored }) => JSON.stringify([stored.exchange, stored.userId]));
  for (const group of groups.values()) {
    const { exchange, userId } = group[0].stored;
    const venue = venues.get(exchange)!;
    const positions = await venue.positions(userId, {
      needed: new Set(group.map(({ stored }) => stored.account)),
    });
    for (const run of group) await applyTo(run, { venue, positions, holders });
  }
}

/**
 * Applies the orders by which a real exchange has closed the position, and tells its owner by mail. What they do not explain was
 * sold elsewhere. Answers whether the exchange has told: if not, that is left to the next comparison.
 */
async function applyForced(
  storage: LiquidationTools['storage'],
  venue: TradingVenue,
  run: ExecutionRun,
): Promise<boolean> {
  const { account, pair, userId, createdAt } = run.stored;
  let told: MailKind | null = null;
  try {
    const fills = await venue.fillsSince(userId, parsePair(pair)!, account, createdAt.getTime());
    const opens = run.state.side === 'long' ? 'buy' : 'sell';
    const forced = fills.filter(({ isLiquidation, side }) => isLiquidation && side !== opens);
    const holders = forced.length > 0 ? await holdersOf(storage, run) : [];
    const { side, rules } = run.state;
    const shares = forcedShares(run.id, forced, { holders, side, stepSize: rules.stepSize });
    for (const [n, fill] of forced.entries()) {
      const before = run.state.position.quantity;
      applyShare(run, fill, shares[n]);
      if (run.state.position.quantity.compare(before) < 0)
        told = fill.closedBy === 'settlement' ? 'settled' : 'liquidated';
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
  if (told) await tellOwner(storage, userId, told);
  return true;
}

/** The executions that hold a position with this one, as they are stored, and those that did since it was created. */
async function holdersOf(
  { openExecutions }: LiquidationTools['storage'],
  { id, stored, state, orders }: ExecutionRun,
): Promise<PositionHolder[]> {
  const found = await openExecutions.onAccount(stored.userId, stored, stored.createdAt);
  const isBeside = (each: (typeof found)[number]) =>
    each.id !== id && each.pair === stored.pair && each.state?.side === state.side;
  return [...found.filter(isBeside), { id, orders }];
}

/**
 * What was found of an order. One that protected a position with leverage, and that the service has not cancelled, may have ended because
 * the exchange has closed the position: that is applied first, so that it does not count as cancelled by hand or to be placed again.
 */
export async function afterLiquidation(
  storage: LiquidationTools['storage'],
  venue: TradingVenue,
  { run, order, found }: { run: ExecutionRun; order: StoredOrder; found: Lookup },
): Promise<Lookup> {
  const isOver = found && 'status' in found && found.status !== 'open' && found.status !== 'filled';
  const isAsked = order.reduces && !order.cancelWanted && !isOrderEnded(order) && isOver;
  const mayBeClosed = run.stored.account !== 'SPOT' && run.state.position.quantity.sign > 0;
  if (!isAsked || !mayBeClosed || !venue.tellsLiquidations || venue.lateMs === undefined) return found;
  if (await applyForced(storage, venue, run)) return found;
  return { unknown: 'the exchange does not say now whether it has closed the position' };
}

async function applyTo(run: ExecutionRun, { venue, positions, holders }: PositionFacts): Promise<void> {
  const { account, pair, userId, createdAt } = run.stored;
  const position = positions.find((each) => each.account === account && pairName(each.pair) === pair);
  const size = position ? sizeOnSide(position, run) : Decimal.zero;
  if (size.compare(heldTogether(run, holders)) < 0) {
    const fills = await venue.fillsSince(userId, parsePair(pair)!, account, createdAt.getTime());
    const forced = fills.filter(({ isLiquidation }) => isLiquidation);
    // Each closes a whole position.
    const alone = { holders: [run], side: run.state.side, stepSize: run.state.rules.stepSize };
    const shares = forcedShares(run.id, forced, alone);
    for (const [n, fill] of forced.entries()) applyShare(run, fill, shares[n]);
  }
  const { quantity } = run.state.position;
  if (position && quantity.sign > 0 && size.compare(quantity) >= 0)
    run.noteLiquidationPrice(position.liquidationPrice, Date.now());
}

function sizeOnSide({ quantity }: VenuePosition, { state }: ExecutionRun): Decimal {
  const size = state.side === 'long' ? quantity : quantity.negated();
  return size.sign < 0 ? Decimal.zero : size;
}

/** What all executions that share a position hold: this one now, the others as they are stored. */
function heldTogether({ stored, state }: ExecutionRun, holders: readonly LeveragedExecution[]): Decimal {
  const { id, userId, exchange, account, pair } = stored;
  const others = holders.filter(
    (each) =>
      each.id !== id &&
      each.userId === userId &&
      each.exchange === exchange &&
      each.account === account &&
      each.pair === pair &&
      each.state.side === state.side,
  );
  const held = others.map(({ state: { position } }) => Decimal.read(position.quantity));
  return Decimal.sum([state.position.quantity, ...held]);
}

/** Applies the share of an execution in a trade by which the exchange has closed a position, with its share of fee and funding. */
function applyShare(run: ExecutionRun, fill: AccountFill, most: Decimal): void {
  const held = Decimal.min(most, run.state.position.quantity);
  if (held.sign <= 0) return;
  const { quantity, quoteFee, funding } = fill;
  const part = (amount: Decimal) => amount.times(held).dividedBy(quantity, feePlaces, 'half-even');
  const share = {
    ...fill,
    quantity: held,
    quoteFee: part(quoteFee),
    ...(funding && { funding: part(funding) }),
  };
  run.applyLiquidation(held.compare(quantity) >= 0 ? fill : share, Date.now());
}

const feePlaces = 12;
