import { Decimal } from '../model/decimal.js';
import type { Execution, ExitLeg } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';
import { isAtOrBetter } from './execution-side.js';
import { isReducible, percentOf, quantityOnStep, quotientPlaces } from '../model/pair-rules.js';
import { seenBy, type PriceRange } from './price-range.js';

/** Arms the targets that the price has reached, in their order: their orders are placed next. */
export function armTargets(draft: ExecutionDraft, range: PriceRange): void {
  for (const { id } of draft.now.targets) {
    const leg = draft.now.targets.find((target) => target.id === id)!;
    const seen = seenBy(leg, range);
    if (leg.state === 'waiting' && seen && isAtOrBetter(draft.now.side, seen.best, leg.price))
      armTarget(draft, leg);
  }
}

/**
 * Arms a target with its part of the position. A part that the exchange would not accept is left to the next target. If the rest
 * could not be sold at its stop afterwards, the target sells the rest as well.
 */
export function armTarget(draft: ExecutionDraft, leg: ExitLeg): void {
  const { rules, targets, stop } = draft.now;
  const others = targets.filter(({ id, state }) => id !== leg.id && state === 'waiting');
  const free = quantityOnStep(unsold(draft.now), rules);
  const price = leg.type === 'market' ? draft.now.lastPrice! : leg.price;
  let quantity = quantityOnStep(partOf(draft.now, leg, free, others.length + 1), rules);
  if (!isReducible(quantity, price, rules) && others.length > 0) return withdrawTarget(draft, leg, true);
  const restStop = (leg.stop ?? stop)?.trigger ?? price;
  if (!isReducible(free.minus(quantity), Decimal.min(price, restStop), rules)) quantity = free;
  if (!isReducible(quantity, price, rules)) return withdrawTarget(draft, leg, others.length > 0);
  draft.setTarget(leg.id, { state: 'armed', quantity });
  draft.note('target_reached', `selling at ${leg.id}`, {
    leg: leg.id,
    price: price.toString(),
    quantity: quantity.toString(),
  });
  if (quantity.compare(free) === 0)
    for (const other of others) draft.setTarget(other.id, { state: 'withdrawn' });
  draft.withdrawEntries('a target was reached');
  if (leg.stop) draft.activateTrailingStop(leg.stop);
}

/** Withdraws a target whose part the exchange would not accept. Its trailing stop protects the whole position. */
function withdrawTarget(draft: ExecutionDraft, { id, stop }: ExitLeg, hasNext: boolean): void {
  draft.setTarget(id, { state: 'withdrawn' });
  const cause = 'its part is below what the exchange accepts';
  if (hasNext) draft.note('target_merged', `${cause}; the next target sells it`, { leg: id });
  else draft.note('target_withdrawn', cause, { leg: id });
  if (stop) draft.activateTrailingStop(stop);
}

/** The part of the position that no armed target sells. */
const unsold = ({ position, targets }: Execution): Decimal =>
  targets
    .filter(({ state }) => state === 'armed')
    .reduce((left, { quantity, filled }) => left.minus(quantity!.minus(filled)), position.quantity);

function partOf({ position }: Execution, { percent }: ExitLeg, free: Decimal, shares: number): Decimal {
  if (percent === null) return free.dividedBy(Decimal.read(String(shares)), quotientPlaces, 'floor');
  const part = percentOf(position.quantity, percent);
  return part.compare(free) > 0 ? free : part;
}
