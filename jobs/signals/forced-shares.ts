import { Decimal } from '../../compute/model/decimal.js';
import { quotientPlaces } from '../../compute/model/pair-rules.js';
import type { TradeSide } from '../../compute/model/risk-assessment.js';
import { positionChange } from '../../compute/signals/execution.js';
import type { AccountFill } from '../../storage/exchanges/trading-venue.js';
import type { StoredExecution, StoredOrder } from '../../storage/signals/stored-execution.js';

/** An execution that holds a part of a position, or has held one. */
export interface PositionHolder extends Pick<StoredExecution, 'id'> {
  readonly orders: readonly StoredOrder[];
}

/** The leg of the trades by which an exchange has closed a position. */
export const forcedLeg = 'liquidation';

/**
 * What an execution has lost of a position by each of the trades, in their order, by which the exchange closed it or a part of it: in proportion
 * to what its holders had then, in steps that add up to the trade. Every holder finds the same, whichever of them has booked its part already.
 */
export function forcedShares(
  id: string,
  fills: readonly AccountFill[],
  facts: { holders: readonly PositionHolder[]; side: TradeSide; stepSize: Decimal },
): Decimal[] {
  const holders = facts.holders.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const sinceMs = Math.min(...fills.map(({ at }) => at));
  const taken = new Map<string, Decimal>();
  return fills.map((fill) => {
    const held = holders.map((holder) => {
      const left = heldAt(holder, facts.side, fill.at, sinceMs).minus(taken.get(holder.id) ?? Decimal.zero);
      return left.sign > 0 ? left : Decimal.zero;
    });
    const total = Decimal.sum(held);
    const [own] = parts(fill.quantity, held, total, facts.stepSize).flatMap((part, n) => {
      const holder = holders[n].id;
      taken.set(holder, (taken.get(holder) ?? Decimal.zero).plus(part));
      return holder === id ? [part] : [];
    });
    return own;
  });
}

/** Parts of a quantity in proportion to these, in steps; what they are if they are not more than it. */
function parts(quantity: Decimal, of: readonly Decimal[], total: Decimal, stepSize: Decimal): Decimal[] {
  if (total.compare(quantity) <= 0) return [...of];
  let [before, given] = [Decimal.zero, Decimal.zero];
  return of.map((each) => {
    before = before.plus(each);
    const upTo = quantity.times(before).dividedBy(total, quotientPlaces, 'floor');
    const part = (before.compare(total) === 0 ? quantity : upTo.toStep(stepSize, 'floor')).minus(given);
    given = given.plus(part);
    return part;
  });
}

/** What an execution held at a time, but for forced trades since another, by the fills of its orders. */
const heldAt = ({ orders }: PositionHolder, side: TradeSide, atMs: number, forcedSinceMs: number): Decimal =>
  Decimal.sum(
    orders.flatMap(({ leg, reduces, fills }) =>
      fills
        .filter(({ at }) => at.getTime() <= atMs && (leg !== forcedLeg || at.getTime() < forcedSinceMs))
        .map(({ quantity, baseFee }) => {
          const traded = { quantity: Decimal.read(quantity), baseFee: Decimal.read(baseFee) };
          return positionChange(side, { isEntry: !reduces, ...traded });
        }),
    ),
  );
