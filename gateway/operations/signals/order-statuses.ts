import type { StoredOrderStatus } from '../../../storage/signals/stored-execution.js';

/** A state of an order as clients see it. */
export type ShownOrderStatus = Exclude<StoredOrderStatus, 'partly_filled'> | 'partially_filled';

/** States of an order, in the order in which it may go through them. */
export const orderStatuses: readonly ShownOrderStatus[] = [
  ...(['planned', 'sent', 'unknown', 'open', 'partially_filled'] as const),
  ...(['filled', 'cancelled', 'rejected', 'expired'] as const),
];

export const shownOrderStatus = (status: StoredOrderStatus): ShownOrderStatus =>
  status === 'partly_filled' ? 'partially_filled' : status;

export const storedOrderStatus = (status: ShownOrderStatus): StoredOrderStatus =>
  status === 'partially_filled' ? 'partly_filled' : status;
