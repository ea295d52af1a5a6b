import type { Placement, TradingVenue, VenueOrder } from '../../../storage/exchanges/trading-venue.js';
import type { Reconciler } from './reconciler.js';

/** How long (ms) orders wait for the comparison of their account, which may wait for the limits of the exchange. */
const mostWaitMs = 1_000;
const beingCompared = 'its account is being compared with what is stored';

/** Why orders of a user have to wait for the comparison of the account; null: they need not. After `ms` those that reduce a position need not. */
export const readyWithin = (
  reconciler: Pick<Reconciler, 'ready'>,
  venue: TradingVenue,
  userId: string,
  { ms, reduces = false }: { ms: number; reduces?: boolean },
): Promise<string | null> =>
  venue.lateMs === undefined
    ? Promise.resolve(null)
    : Promise.race([reconciler.ready(venue, userId, { reduces }), after(ms, reduces ? null : beingCompared)]);

/**
 * Places orders on a venue. If the venue can lose orders, an account is compared with what is stored before its first order and
 * after each request without an answer. Orders of accounts that differ are postponed. No order waits long for a comparison:
 * what reduces a position is placed then, and entries are postponed.
 */
export async function placeReconciled(
  reconciler: Pick<Reconciler, 'noteOutage' | 'ready'>,
  venue: TradingVenue,
  orders: readonly VenueOrder[],
): Promise<Placement[]> {
  if (venue.lateMs === undefined) return venue.place(orders);
  const within = (reduces: boolean) => (userId: string) =>
    readyWithin(reconciler, venue, userId, { ms: mostWaitMs, reduces });
  const reducing = orders.filter(({ reduces }) => reduces);
  const entering = orders.filter(({ reduces }) => !reduces);
  const parts = await Promise.all([
    placeReady(venue, reducing, within(true)),
    placeReady(venue, entering, within(false)),
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
