import type { Slots } from './slots.js';

/** The states by which orders are listed; signals know other ones. */
const ofOrders = new Set(['open', 'partially_filled', 'filled', 'cancelled', 'rejected', 'unknown']);

/** The state of orders that a question names; undefined for none, and for a state that only signals have. */
export const listedOrderStatus = (status: Slots['status']): string | undefined =>
  status !== undefined && ofOrders.has(status) ? status : undefined;
