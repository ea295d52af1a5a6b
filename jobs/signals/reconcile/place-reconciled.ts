import type { Placement, TradingVenue, VenueOrder } from '../../../storage/exchanges/trading-venue.js';
import type { Reconciler } from './reconciler.js';

/** How long (ms) orders wait for the comparison of their account, which may wait for the limits of the exchange. */
const mostWaitMs = 1_000;
const beingCompared = 'its account is being compared with what is stored';

/** Why entries wait, and after which time (ms) they are tried again; absent: later each time. */
export interface EntryWait {
  reason: string;
  againMs?: number;
}

/** Why the entries of an account wait; null: they need not. An entry that waits elsewhere delays nothing else of its account. */
export async function entriesWait(
  reconciler: Pick<Reconciler, 'ready'>,
  venue: TradingVenue,
  userId: string,
): Promise<EntryWait | null> {
  if (venue.lateMs === undefined) return null;
  const reason = await Promise.race([reconciler.ready(venue, userId), after(mostWaitMs, beingCompared)]);
  if (reason === null) return null;
  return reason === beingCompared ? { reason, againMs: mostWaitMs } : { reason };
}

/**
 * Places orders on a venue. If the venue can lose orders, an account is compared with what is stored before its first order and
 * after each request without an answer. Orders of accounts that differ are postponed. Orders that only reduce a position do not wait
 * long for a comparison.
 */
export async function placeReconciled(
  reconciler: Pick<Reconciler, 'noteOutage' | 'ready'>,
  venue: TradingVenue,
  orders: readonly VenueOrder[],
): Promise<Placement[]> {
  if (venue.lateMs === undefined) return venue.place(orders);
  const ready = (userId: string) => reconciler.ready(venue, userId);
  const soon = (userId: string) => Promise.race([ready(userId), after(mostWaitMs, null)]);
  const reducing = orders.filter(({ reduces }) => reduces);
  const entering = orders.filter(({ reduces }) => !reduces);
  const parts = await Promise.all([placeReady(venue, reducing, soon), placeReady(venue, entering, ready)]);
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
