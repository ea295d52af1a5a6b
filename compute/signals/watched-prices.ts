import type { Decimal } from '../model/decimal.js';
import { quantityOnStep, quotientPlaces } from '../model/pair-rules.js';
import type { TradeSide } from '../model/risk-assessment.js';
import { hasEntered, isEnded, type EntryLeg, type Execution } from './execution.js';
import { betterPrice, isAtOrBetter } from './execution-side.js';
import { isStranded } from './desired-orders.js';
import { nearPrice, stopMovesAt } from './held-back-stop.js';

/** The nearest prices at which an execution changes. A price strictly between them changes nothing. */
export interface WatchedPrices {
  /** A price here or beyond, in the direction that loses money, may change it. The present price may be beyond already. */
  readonly worse: Decimal | null;
  /** The same in the direction that earns money. */
  readonly better: Decimal | null;
}

/**
 * The prices that a watcher compares with each tick; none once the position is being closed, unless it is worth too little. An execution that has seen no
 * price yet needs the next one, whatever it is. While entries are halted, their prices are left out.
 */
export function watchedPrices(execution: Execution): WatchedPrices {
  const { side, stop, targets, lastPrice, status, isHalted } = execution;
  if (lastPrice && isStranded(execution)) return sellablePrice(execution);
  if (!lastPrice || status === 'closing' || isEnded(execution)) return { worse: null, better: null };
  const isOpen = hasEntered(execution);
  const entries = execution.entries.filter(
    ({ state, kind }) => !isHalted && state === 'waiting' && (isOpen || kind === 'entry'),
  );
  // If the price is beyond a zone, it has to come back into the zone.
  const isBeyond = ({ zoneEnd }: EntryLeg) => zoneEnd !== null && !isAtOrBetter(side, lastPrice, zoneEnd);
  // At this price a stop order that was held back is moved.
  const near = stopMovesAt(execution) === null ? null : nearPrice(execution);
  const worse = [
    ...(stop ? [stop.trigger] : []),
    ...(near ? [near] : []),
    ...entries.filter((leg) => !isBeyond(leg)).map(({ price }) => price),
  ];
  const better = [
    ...targets.filter(({ state, triedAt }) => state === 'waiting' && !triedAt).map(({ price }) => price),
    ...(isOpen && stop?.trailing ? [stop.trailing.best] : []),
    ...entries.filter(isBeyond).map(({ zoneEnd }) => zoneEnd!),
  ];
  return { worse: bestOf(side, worse), better: bestOf(side === 'long' ? 'short' : 'long', better) };
}

/** The price at which a position that is worth too little can be sold: a higher one, whatever its side. */
function sellablePrice({ side, position, rules }: Execution): WatchedPrices {
  const quantity = quantityOnStep(position.quantity, rules);
  const price = rules.minNotional.dividedBy(quantity, quotientPlaces, 'ceil');
  return side === 'long' ? { worse: null, better: price } : { worse: price, better: null };
}

const bestOf = (side: TradeSide, prices: readonly Decimal[]): Decimal | null =>
  prices.length === 0 ? null : prices.reduce((one, other) => betterPrice(side, one, other));
