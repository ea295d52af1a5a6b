import { Decimal } from '../../compute/model/decimal.js';
import { groupBy } from '../../compute/model/group-by.js';
import { pairName, parsePair } from '../../compute/model/market-pair.js';
import type { AccountFill, TradingVenue, VenuePosition } from '../../storage/exchanges/trading-venue.js';
import type { ExecutionRun } from './run/execution-run.js';

/**
 * Notes the liquidation prices of executions on margin and futures accounts, and applies liquidations. The trades of an
 * account are read only if its position is smaller than the position of the execution.
 */
export async function applyLiquidations(
  runs: readonly ExecutionRun[],
  venues: ReadonlyMap<string, TradingVenue>,
): Promise<void> {
  const holding = runs.filter(
    ({ stored, state }) => stored.account !== 'SPOT' && state.position.quantity.sign > 0,
  );
  const groups = groupBy(holding, ({ stored }) => JSON.stringify([stored.exchange, stored.userId]));
  for (const group of groups.values()) {
    const venue = venues.get(group[0].stored.exchange);
    if (!venue?.tellsLiquidations) continue;
    const positions = await venue.positions(group[0].stored.userId);
    for (const run of group) await applyTo(run, venue, positions);
  }
}

async function applyTo(
  run: ExecutionRun,
  venue: TradingVenue,
  positions: readonly VenuePosition[],
): Promise<void> {
  const { account, pair, userId, createdAt } = run.stored;
  const position = positions.find((each) => each.account === account && pairName(each.pair) === pair);
  const isHeld = position && sizeOnSide(position, run).compare(run.state.position.quantity) >= 0;
  if (isHeld) return run.noteLiquidationPrice(position.liquidationPrice, Date.now());
  const fills = await venue.fillsSince(userId, parsePair(pair)!, account, createdAt.getTime());
  const openedAt = run.firstFillAt ?? Infinity;
  for (const fill of fills)
    if (fill.isLiquidation && fill.at >= openedAt) run.applyLiquidation(shareOf(run, fill), Date.now());
}

/** How much of the position is on the side of the execution. */
function sizeOnSide({ quantity }: VenuePosition, { state }: ExecutionRun): Decimal {
  const size = state.side === 'long' ? quantity : quantity.negated();
  return size.sign < 0 ? Decimal.zero : size;
}

/** The share of an execution in a liquidation, with its share of fee and funding: several executions may share a position. */
function shareOf({ state }: ExecutionRun, fill: AccountFill): AccountFill {
  const { quantity: held } = state.position;
  const { quantity, quoteFee, funding } = fill;
  if (held.compare(quantity) >= 0) return fill;
  const part = (amount: Decimal) => amount.times(held).dividedBy(quantity, feePlaces, 'half-even');
  return { ...fill, quantity: held, quoteFee: part(quoteFee), ...(funding && { funding: part(funding) }) };
}

const feePlaces = 12;
