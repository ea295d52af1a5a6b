import type { VenueOrderStatus } from '../trading-venue.js';

const statuses: Readonly<Record<string, VenueOrderStatus>> = {
  open: 'open',
  canceling: 'open',
  closed: 'filled',
  canceled: 'cancelled',
  expired: 'expired',
  rejected: 'rejected',
};

/** The status of an order as ccxt names it; null for one that it does not know. */
export const orderStatusOf = (status: string | undefined): VenueOrderStatus | null =>
  statuses[status ?? ''] ?? null;
