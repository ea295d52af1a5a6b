import type { Lookup } from '../../../storage/exchanges/trading-venue.js';

/** Whether a venue that was to cancel an order says that it has none, or that it takes none of this id any more. */
export const isNoOrder = (lookup: Lookup): boolean =>
  lookup === null || ('status' in lookup && lookup.status === 'cancelled' && lookup.filled.sign === 0);
