import type { Placement, TradingVenue, VenueOrder } from '../../../storage/exchanges/trading-venue.js';
import type { Reconciler } from './reconciler.js';

/** How long (ms) what protects or closes a position waits for the comparison of its account, which may wait for the limits of the exchange. */
const mostWaitMs = 1_000;

/**
 * Places orders on a venue. If the venue can lose orders, an account is compared with what is stored before its first order and
 * after each request without an answer. Orders of accounts that are not compared yet, or differ, are postponed; orders that only
 * reduce a position do not wait long.
 */
export async function placeReconciled(
  reconciler: Pick<Reconciler, 'noteOutage' | 'ready'>,
  venue: TradingVenue,
  orders: readonly VenueOrder[],
): Promise<Placement[]> {
  if (venue.lateMs === undefined) return venue.place(orders);
  const ready = (userId: string) => reconciler.ready(venue, userId);
  const soon = (userId: string) => Promise.race([ready(userId), after(mostWaitMs)]);
  const reducing = orders.filter(({ reduces }) => reduces);
  const entering = orders.filter(({ reduces }) => !reduces);
  const parts = await Promise.all([placeReady(venue, reducing, soon), placeReady(venue, entering, ready)]);
  const placed = new Map(parts.flatMap((part) => [...part]));
  for (const [{ userId }, placement] of placed)
    if ('unknown' in placement) reconciler.noteOutage(venue, userId);
  return orders.map((order) => placed.get(order)!);
}

/** Resolves with null after a time, and keeps no process running. */
const after = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(resolve, ms, null).unref());

/** `whyNot`: why orders of a user have to wait; null: they may be placed. */
async function placeReady(
  venue: TradingVenue,
  orders: readonly VenueOrder[],
  whyNot: (userId: string) => Promise<string | null>,
): Promise<Map<VenueOrder, Placement>> {
  if (orders.length === 0) return new Map();
  const userIds = [...new Set(orders.map(({ userId }) => userId))];
  const waits = new Map(
    await Promise.all(userIds.map(async (userId) => [userId, await whyNot(userId)] as const)),
  );
  const ready = orders.filter(({ userId }) => waits.get(userId) === null);
  const placements = await venue.place(ready);
  return new Map(
    orders.map((order) => {
      const n = ready.indexOf(order);
      return [order, n < 0 ? { postponed: waits.get(order.userId)! } : placements[n]];
    }),
  );
}
