import type { VenueOrderStatus } from '../trading-venue.js';

const statuses: Readonly<Record<string, VenueOrderStatus>> = {
  open: 'open',
  canceling: 'open',
  closed: 'filled',
  canceled: 'cancelled',
  expired: 'expired',
  rejected: 'rejected',
};

/** The status of an order from ccxt's name of it; null for any other name. */
export const orderStatusOf = (status: string | undefined): VenueOrderStatus | null =>
  statuses[status ?? ''] ?? null;
