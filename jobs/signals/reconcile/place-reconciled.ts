import type { Placement, TradingVenue, VenueOrder } from '../../../storage/exchanges/trading-venue.js';
import type { Reconciler } from './reconciler.js';

/** How long (ms) what protects or closes a position waits for the comparison of its account, which may wait for the limits of the exchange. */
const mostWaitMs = 1_000;
const beingCompared = 'its account is being compared with what is stored';

/**
 * Places orders on a venue. If the venue can lose orders, an account is compared with what is stored before its first order and
 * after each request without an answer. Orders of accounts that differ are postponed. No order waits long for a comparison:
 * what reduces a position is placed then, and entries are postponed after `entryWaitMs`.
 */
export async function placeReconciled(
  reconciler: Pick<Reconciler, 'noteOutage' | 'ready'>,
  venue: TradingVenue,
  orders: readonly VenueOrder[],
  entryWaitMs = mostWaitMs,
): Promise<Placement[]> {
  if (venue.lateMs === undefined) return venue.place(orders);
  const ready = (userId: string) => reconciler.ready(venue, userId);
  const within = (ms: number, late: string | null) => (userId: string) =>
    Promise.race([ready(userId), after(ms, late)]);
  const reducing = orders.filter(({ reduces }) => reduces);
  const entering = orders.filter(({ reduces }) => !reduces);
  const parts = await Promise.all([
    placeReady(venue, reducing, within(mostWaitMs, null)),
    placeReady(venue, entering, within(entryWaitMs, beingCompared)),
  ]);
  const placed = new Map(parts.flatMap((part) => [...part]));
  for (const [{ userId }, placement] of placed)
    if ('unknown' in placement) reconciler.noteOutage(venue, userId);
  return orders.map((order) => placed.get(order)!);
}

/** Resolves after a time, and keeps no process running. */
const after = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(resolve, ms, value).unref());

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
