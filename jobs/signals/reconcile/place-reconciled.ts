import type { Placement, TradingVenue, VenueOrder } from '../../../storage/exchanges/trading-venue.js';
import type { Reconciler } from './reconciler.js';

/**
 * Places orders on a venue. If the venue can lose orders, an account is compared with what is stored before its first order and
 * after each request without an answer. Orders of accounts that are not compared yet, or differ, are postponed.
 */
export async function placeReconciled(
  reconciler: Pick<Reconciler, 'noteOutage' | 'ready'>,
  venue: TradingVenue,
  orders: readonly VenueOrder[],
): Promise<Placement[]> {
  if (venue.lateMs === undefined) return venue.place(orders);
  const waits = await waitsOf(reconciler, venue, new Set(orders.map(({ userId }) => userId)));
  const ready = orders.filter(({ userId }) => !waits.has(userId));
  const placements = await venue.place(ready);
  const placed = new Map(placements.map((placement, n) => [ready[n], placement]));
  for (const [{ userId }, placement] of placed)
    if ('unknown' in placement) reconciler.noteOutage(venue, userId);
  return orders.map((order) => placed.get(order) ?? { postponed: waits.get(order.userId)! });
}

/** Why orders of users have to wait, by user; a user whose orders may be placed is missing. */
async function waitsOf(
  reconciler: Pick<Reconciler, 'ready'>,
  venue: TradingVenue,
  userIds: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const waits = await Promise.all(
    [...userIds].map(async (userId): Promise<[string, string | null]> => {
      return [userId, await reconciler.ready(venue, userId)];
    }),
  );
  return new Map(waits.flatMap(([userId, why]) => (why === null ? [] : [[userId, why]])));
}
