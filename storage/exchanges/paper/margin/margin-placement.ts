import { pairName } from '../../../../compute/model/market-pair.js';
import {
  admitMarginOrder,
  type OfferedMarginOrder,
} from '../../../../compute/paper/margin/admit-margin-order.js';
import type { MarginAccount, PairPrices } from '../../../../compute/paper/margin/margin-account.js';
import { marginTerms } from '../../../../compute/paper/margin/margin-terms.js';
import type { OrderRef, Placement, VenueOrder } from '../../trading-venue.js';
import { clientOrderIdPattern } from '../client-order-id-pattern.js';
import type { ArchivedOrder } from './margin-accounts.js';
import type { StoredMargin } from './stored-margin.js';
import { marginRules, stateOfMargin } from './margin-states.js';

/** What is known when orders of one account are decided. */
export interface PlacementScene {
  stored: StoredMargin;
  /** Archived orders of any account, by client order id. */
  archived: ReadonlyMap<string, ArchivedOrder>;
  /** Client order ids that open orders of other accounts have. */
  taken: ReadonlySet<string>;
  /** Last prices that are new enough to act on. */
  prices: PairPrices;
  nowMs: number;
}

/** The account with those of the orders that it takes, one after the other, and what became of each. */
export function placeMarginOrders(
  orders: readonly VenueOrder[],
  scene: PlacementScene,
): { state: MarginAccount; answers: Placement[] } {
  let state = scene.stored.state;
  const answers = orders.map((order): Placement => {
    const known = knownOrder(order, state, scene);
    if (known) return known;
    const admitted = admit(order, state, scene);
    if ('refused' in admitted) return admitted;
    state = { ...state, orders: [...state.orders, admitted] };
    return { state: stateOfMargin(admitted) };
  });
  return { state, answers };
}

/** An order that stands, or has ended, under its client order id; a refusal for an id that others have. */
function knownOrder(order: OrderRef, state: MarginAccount, scene: PlacementScene): Placement | null {
  const { clientOrderId } = order;
  const { userId, account } = scene.stored;
  const listed = state.orders.find(({ id }) => id === clientOrderId);
  const archived = scene.archived.get(clientOrderId);
  const own = archived?.userId === userId && archived.account === account ? archived.order : undefined;
  const known = listed ?? own;
  if (known && pairName(known.pair) === pairName(order.pair)) return { state: stateOfMargin(known) };
  const isTaken = known ?? archived ?? scene.taken.has(clientOrderId);
  return isTaken ? { refused: `the client order id ${clientOrderId} is in use` } : null;
}

function admit(order: VenueOrder, state: MarginAccount, { stored, prices, nowMs }: PlacementScene) {
  const { pair, clientOrderId: id } = order;
  const rules = marginRules(pair, stored.account);
  if (!rules)
    return {
      refused: `${pairName(pair)} is not traded on the ${stored.account} account of the paper exchange`,
    };
  if (!clientOrderIdPattern.test(id))
    return { refused: `the client order id must be 1 to 36 of a-z and 0-9, found "${id}"` };
  const lastPrice = prices.get(pairName(pair)) ?? null;
  const terms = marginTerms[stored.account];
  return admitMarginOrder(offered(order, nowMs), state, { rules, terms, lastPrice, prices });
}

const offered = (order: VenueOrder, placedAt: number): OfferedMarginOrder => {
  const { clientOrderId: id, pair, side, type, price, stopPrice, quantity } = order;
  const { owner, reduces, leverage, marginMode: mode } = order;
  return { id, pair, side, type, price, stopPrice, quantity, placedAt, owner, reduces, leverage, mode };
};
